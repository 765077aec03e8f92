fx_add_test(umbrella_headers layout
            COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/scripts/umbrella_headers.py" --check)
