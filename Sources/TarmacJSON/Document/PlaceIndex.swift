/// The places of every 16th element of an array, as far as look-ups reached.
struct PlaceIndex: Sendable {
    private static let span = 16

    /// The places of the elements 0, 16, 32, …; the places of a tape fit 30 bits.
    private var milestones: [UInt32]
    /// The number of elements that the index covers.
    private(set) var count = 0
    /// The place after the last of them.
    private var next: Int
    private let end: Int

    init(of array: Int, _ tape: Tape) {
        next = array + 1
        end = tape.end(of: array)
        milestones = []
    }

    /// Whether the index covers all elements.
    var isComplete: Bool { next >= end }

    var byteCount: Int { milestones.count * MemoryLayout<UInt32>.stride }

    /// Covers at least `wanted` elements, or all; returns the number of elements it walked past.
    mutating func extend(to wanted: Int, _ tape: Tape) -> Int {
        let before = count
        while next < end, count < wanted {
            if count % Self.span == 0 { milestones.append(UInt32(truncatingIfNeeded: next)) }
            next = tape.next(after: next)
            count &+= 1
        }
        return count - before
    }

    /// Returns the place of an element that the index covers.
    func find(_ position: Int, _ tape: Tape) -> Lookup {
        var place = Int(milestones[position / Self.span])
        let steps = position % Self.span
        for _ in 0..<steps { place = tape.next(after: place) }
        return Lookup(place: place, steps: steps)
    }
}
