#include "poster_png.h"
#include <png.h>
const char *poster_png_version(void) { return PNG_LIBPNG_VER_STRING; }
