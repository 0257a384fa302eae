#include "text/documents.hpp"

#include "base/require.hpp"

namespace heldout {

void check_documents(const Documents& documents) {
    const auto ends = documents.ends;
    require(!ends.empty(), "documents need an end for each, and a begin");
    require(ends.front() >= 0, "the first document begins before its text");
    for (std::size_t i = 0; i + 1 < ends.size(); ++i)
        require(ends[i] <= ends[i + 1], "a document ends before it begins");
    require(static_cast<std::size_t>(ends.back()) <= documents.bytes.size(),
            "a document ends behind its text");
}

}  // namespace heldout
