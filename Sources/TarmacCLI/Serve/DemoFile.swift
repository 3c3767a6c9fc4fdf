#if Tools
/// A file of the demo server, whole or in part (pure; RFC 9110 §13.1.5, §14.2). One range is served; several, and what is no range
/// of bytes, are answered with the whole.
struct DemoFile {
    let count: Int
    let type: String

    /// The bytes follow from their number, so that number is a strong validator.
    private var tag: String { "\"pattern-\(count)\"" }

    func answer(_ request: DemoRequest) -> DemoAnswer {
        switch asked(request) {
        case .whole:
            let breaks = request.query("breaks") == "true"
            return answer(200, 0..<count, breaksAfter: breaks ? count / 2 : nil)
        case .part(let range):
            return answer(206, range, [("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)")])
        case .none:
            return DemoAnswer(status: 416, headers: [("Content-Range", "bytes */\(count)"), ("ETag", tag)])
        }
    }

    private func answer(_ status: Int, _ range: Range<Int>, _ more: [(name: String, value: String)] = [], breaksAfter: Int? = nil) -> DemoAnswer {
        DemoAnswer(
            status: status, headers: [("Content-Type", type), ("ETag", tag), ("Accept-Ranges", "bytes")] + more,
            content: .pattern(range, breaksAfter: breaksAfter))
    }

    private enum Asked { case whole, none, part(Range<Int>) }

    private func asked(_ request: DemoRequest) -> Asked {
        guard request.method == "GET", let text = request.header("Range"), text.hasPrefix("bytes=") else { return .whole }
        // If-Range: a part of another version would be of no use.
        if let validator = request.header("If-Range"), validator != tag { return .whole }
        let ends = text.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2 else { return .whole }
        switch (ends[0].isEmpty, Int(ends[0]), ends[1].isEmpty, Int(ends[1])) {
        case (false, let first?, true, _): return part(first, count)
        case (false, let first?, _, let last?) where first <= last: return part(first, min(last, count - 1) + 1)
        case (true, _, _, let length?): return length > 0 ? part(max(0, count - length), count) : .none
        default: return .whole
        }
    }

    private func part(_ first: Int, _ end: Int) -> Asked { first >= 0 && first < end ? .part(first..<end) : .none }
}
#endif
