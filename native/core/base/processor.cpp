#include "base/processor.hpp"

#include <cstdlib>
#include <cstring>

namespace heldout {

bool has_avx512() {
#if defined(HELDOUT_AVX512)
    static const bool has_it = [] {
        const char* plain = std::getenv("HELDOUT_PLAIN");
        if (plain != nullptr && std::strcmp(plain, "") != 0 && std::strcmp(plain, "0") != 0) return false;
        __builtin_cpu_init();
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    }();
    return has_it;
#else
    return false;
#endif
}

}  // namespace heldout
