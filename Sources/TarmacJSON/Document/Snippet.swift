/// A short part of the text on one line, with masked values replaced by `•••`.
struct Snippet {
    /// The largest number of bytes shown.
    static let length = 48

    let window: Range<Int>
    private let isCutBefore: Bool
    private let isCutAfter: Bool
    private var masked: [Range<Int>] = []

    /// Creates the text before the fault at `offset`. The text after it is left out, because it could not be parsed and
    /// may have secrets.
    init(before offset: Int, of count: Int) {
        let end = min(offset, count)
        window = max(0, end - Self.length)..<end
        isCutBefore = window.lowerBound > 0
        isCutAfter = end < count
    }

    /// Creates the text of `range`, truncated at its end if it is long.
    init(range: Range<Int>) {
        window = range.lowerBound..<min(range.upperBound, range.lowerBound + Self.length)
        isCutBefore = false
        isCutAfter = window.upperBound < range.upperBound
    }

    mutating func mask(_ range: Range<Int>) {
        let hidden = range.clamped(to: window)
        if !hidden.isEmpty { masked.append(hidden) }
    }

    func text(_ tape: Tape) -> String {
        var text = isCutBefore ? "…" : ""
        var position = window.lowerBound
        for hidden in masked.ordered(by: { $0.lowerBound < $1.lowerBound }) where hidden.upperBound > position {
            text += plain(position..<max(position, hidden.lowerBound), tape) + "•••"
            position = hidden.upperBound
        }
        text += plain(position..<window.upperBound, tape)
        return isCutAfter ? text + "…" : text
    }

    /// Returns repaired UTF-8 without control characters, so that a log line stays one line.
    private func plain(_ range: Range<Int>, _ tape: Tape) -> String {
        let cleaned = tape.withBytes { text in
            range.map { text.byte(at: $0) }.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }
        }
        return String(decoding: cleaned, as: UTF8.self)
    }
}
