/// Divides the missing bytes into ranges that are downloaded side by side (pure).
struct SegmentPlan {
    let from: Int64
    let to: Int64
    let count: Int
    let minimum: Int64

    init(from: Int64, to: Int64, count: Int, minimum: Int64) {
        self.from = from
        self.to = to
        self.count = count
        self.minimum = minimum
    }

    /// Returns ranges of nearly equal length, none shorter than the minimum; empty if there would be fewer than two.
    func segments(beside partial: String) -> [TransferRecord.Segment] {
        let missing = to - from
        let number = min(Int64(count), missing / max(1, minimum))
        guard number > 1 else { return [] }
        return (0..<number).map { index in
            let start = from + missing / number * index
            let end = index == number - 1 ? to : start + missing / number
            return TransferRecord.Segment(start: start, end: end, partial: TransferRecord.Segment.name(Int(index), beside: partial))
        }
    }
}
