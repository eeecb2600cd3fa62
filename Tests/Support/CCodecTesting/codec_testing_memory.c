#include "codec_testing_memory.h"

uint8_t codec_testing_read(const void *address) {
    return *(const volatile uint8_t *)address;
}
