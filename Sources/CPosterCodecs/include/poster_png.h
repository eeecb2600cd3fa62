#ifndef POSTER_PNG_H
#define POSTER_PNG_H
const char *_Nonnull poster_png_version(void);
#endif
