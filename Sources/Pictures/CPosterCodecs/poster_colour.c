#include "poster_colour.h"

#include <lcms2.h>

// The opaque type is lcms's own handle.
static poster_colour_transform *to_srgb(cmsHPROFILE profile, cmsUInt32Number format) {
    if (!profile) return NULL;
    cmsHTRANSFORM transform = NULL;
    cmsHPROFILE srgb = cmsCreate_sRGBProfile();
    // NOCACHE: otherwise lcms caches the last pixel inside the transform, which threads share.
    if (srgb) {
        transform = cmsCreateTransform(profile, format, srgb, TYPE_RGB_8, INTENT_RELATIVE_COLORIMETRIC,
                                       cmsFLAGS_BLACKPOINTCOMPENSATION | cmsFLAGS_NOCACHE);
        cmsCloseProfile(srgb);
    }
    cmsCloseProfile(profile);
    return transform;
}

poster_colour_transform *poster_colour_transform_create(const uint8_t *bytes, size_t count,
                                                        enum poster_colour_input input) {
    if (count > UINT32_MAX) return NULL;
    cmsHPROFILE profile = cmsOpenProfileFromMem(bytes, (cmsUInt32Number)count);
    if (!profile) return NULL;
    const cmsColorSpaceSignature space = cmsGetColorSpace(profile);
    switch (input) {
        case POSTER_COLOUR_GRAY:
            if (space == cmsSigGrayData) return to_srgb(profile, TYPE_GRAY_8);
            break;
        case POSTER_COLOUR_RGB:
            if (space == cmsSigRgbData) return to_srgb(profile, TYPE_RGB_8);
            break;
        case POSTER_COLOUR_CMYK:
            if (space == cmsSigCmykData) return to_srgb(profile, TYPE_CMYK_8_REV);
            break;
    }
    cmsCloseProfile(profile);
    return NULL;
}

poster_colour_transform *poster_colour_transform_create_from_chromaticities(const double *xy) {
    const cmsCIExyY white = {xy[0], xy[1], 1};
    const cmsCIExyYTRIPLE primaries = {{xy[2], xy[3], 1}, {xy[4], xy[5], 1}, {xy[6], xy[7], 1}};
    const cmsFloat64Number parameters[5] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
    cmsToneCurve *curve = cmsBuildParametricToneCurve(NULL, 4, parameters);
    if (!curve) return NULL;
    cmsToneCurve *curves[3] = {curve, curve, curve};
    cmsHPROFILE profile = cmsCreateRGBProfile(&white, &primaries, curves);
    cmsFreeToneCurve(curve);
    return to_srgb(profile, TYPE_RGB_8);
}

void poster_colour_transform_destroy(poster_colour_transform *transform) {
    if (transform) cmsDeleteTransform(transform);
}

void poster_colour_transform_apply(const poster_colour_transform *transform, const uint8_t *pixels, uint8_t *rgb,
                                   size_t count) {
    // lcms takes the handle without const, but does not write to it without a cache.
    cmsDoTransform((cmsHTRANSFORM)transform, pixels, rgb, (cmsUInt32Number)count);
}

int32_t poster_colour_version(void) { return cmsGetEncodedCMMversion(); }
