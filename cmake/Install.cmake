# SPDX-License-Identifier: GPL-3.0-or-later
# `cmake --install BUILD --prefix FOLDER` makes a folder that can be moved and that runs without an installed Qt: the
# executable, its libraries except for those of C and of the graphics driver, Qt's plugins, and fonts. CUDA's libraries
# come from the target machine.
set(library_folder lib/tileloom)

# RPATH, not RUNPATH: it is also searched for the libraries of the plugins.
target_link_options(tileloom PRIVATE -Wl,--disable-new-dtags)
set_target_properties(tileloom PROPERTIES INSTALL_RPATH "$ORIGIN/../${library_folder}")
install(TARGETS tileloom RUNTIME DESTINATION bin)

get_target_property(qmake Qt6::qmake IMPORTED_LOCATION)
execute_process(COMMAND ${qmake} -query QT_INSTALL_PLUGINS OUTPUT_VARIABLE qt_plugins
                OUTPUT_STRIP_TRAILING_WHITESPACE)
set(plugins "")
foreach(plugin IN ITEMS platforms/libqoffscreen.so platforms/libqxcb.so platforms/libqminimal.so
        iconengines/libqsvgicon.so imageformats/libqsvg.so)
  if(EXISTS ${qt_plugins}/${plugin})
    list(APPEND plugins ${qt_plugins}/${plugin})
    get_filename_component(kind ${plugin} DIRECTORY)
    install(FILES ${qt_plugins}/${plugin} DESTINATION ${library_folder}/plugins/${kind})
  endif()
endforeach()
file(WRITE ${CMAKE_BINARY_DIR}/qt.conf "[Paths]\nPrefix = ../${library_folder}\nPlugins = plugins\n")
install(FILES ${CMAKE_BINARY_DIR}/qt.conf DESTINATION bin)

# Without fonts all text would be boxes; compute nodes have no fonts.
set(fonts "")
foreach(name IN ITEMS Inter-Regular.otf Inter-Medium.otf Inter-SemiBold.otf Inter-Bold.otf
        JetBrainsMono-Regular.ttf DejaVuSans.ttf DejaVuSansMono.ttf)
  file(GLOB_RECURSE found /usr/share/fonts/*/${name} /usr/share/fonts/${name})
  if(found)
    list(GET found 0 first)
    list(APPEND fonts ${first})
  endif()
endforeach()
install(FILES ${fonts} DESTINATION share/tileloom/fonts)
file(WRITE ${CMAKE_BINARY_DIR}/fonts.conf "<?xml version=\"1.0\"?>
<!DOCTYPE fontconfig SYSTEM \"urn:fontconfig:fonts.dtd\">
<fontconfig>
  <dir prefix=\"relative\">fonts</dir>
  <cachedir prefix=\"xdg\">fontconfig</cachedir>
</fontconfig>
")
install(FILES ${CMAKE_BINARY_DIR}/fonts.conf DESTINATION share/tileloom)
# For desktops, if the folder is a prefix that they search (/usr/local, ~/.local): a menu entry, and sessions that open
# with a double click once update-mime-database and update-desktop-database have run.
set(desktop ${PROJECT_SOURCE_DIR}/resources/desktop)
install(FILES ${desktop}/tileloom.desktop DESTINATION share/applications COMPONENT desktop)
install(FILES ${desktop}/tileloom.xml DESTINATION share/mime/packages COMPONENT desktop)
install(FILES ${desktop}/tileloom.svg DESTINATION share/icons/hicolor/scalable/apps
        COMPONENT desktop)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md DESTINATION share/tileloom)

install(CODE "
  set(plugins \"${plugins}\")
  set(destination \"\${CMAKE_INSTALL_PREFIX}/${library_folder}\")
  file(GET_RUNTIME_DEPENDENCIES
    EXECUTABLES \"$<TARGET_FILE:tileloom>\"
    MODULES \${plugins}
    RESOLVED_DEPENDENCIES_VAR libraries
    UNRESOLVED_DEPENDENCIES_VAR missing
    PRE_EXCLUDE_REGEXES
      \"^ld-linux\" \"^libc\\\\.so\" \"^libm\\\\.so\" \"^libdl\\\\.so\" \"^librt\\\\.so\" \"^libpthread\\\\.so\" \"^libresolv\\\\.so\"
      \"^libcuda\" \"^libnvidia\")
  if(missing)
    message(WARNING \"not found, so not installed: \${missing}\")
  endif()
  foreach(library IN LISTS libraries)
    file(INSTALL \"\${library}\" DESTINATION \"\${destination}\" FOLLOW_SYMLINK_CHAIN)
  endforeach()
")
