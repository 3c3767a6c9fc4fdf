#if Tools
/// The target of a work.
enum JSONBar: Codable {
    /// At least this many times as fast as the reference.
    case speedUp(Double)
    /// At most this many times the reference's time.
    case cost(Double)
    /// At least so many 10⁶ bytes a second.
    case throughput(Double)
    /// At most this share of the text's size.
    case size(Double)

    /// The measured value, and whether it reaches the target.
    struct Outcome: Codable {
        /// The work and its document.
        var name: String
        var bar: JSONBar
        var value: Double
        var holds: Bool

        init(_ name: String, _ bar: JSONBar, _ value: Double) {
            (self.name, self.bar, self.value, holds) = (name, bar, value, bar.holds(value))
        }

        var shown: String { "\(name): \(value.shown), must be \(bar.shown)" }
    }

    private func holds(_ value: Double) -> Bool {
        switch self {
        case .speedUp(let bar), .throughput(let bar): value >= bar
        case .cost(let bar), .size(let bar): value <= bar
        }
    }

    var shown: String {
        switch self {
        case .speedUp(let bar): "≥ \(bar) times as fast"
        case .cost(let bar): "≤ \(bar) of the time"
        case .throughput(let bar): "≥ \(Int(bar)) MB/s"
        case .size(let bar): "≤ \(bar) of the text"
        }
    }
}
#endif
