/// Finds many values in a text in one pass, after Aho and Corasick ("Efficient string matching", 1975).
///
/// A space and a plus sign count as equal, since forms write one for the other. The automaton holds the first 64 bytes of each
/// value. The rest is looked up in the sorted values.
struct KnownMatcher: Sendable {
    private static let compared = 64

    /// The values, sorted.
    private let values: [[UInt8]]
    /// The next state by state and byte: an open hash table with the keys in the upper half.
    private var edges: [UInt64] = [UInt64](repeating: 0, count: 256)
    private var edgeCount = 0
    /// The state to go on with if no edge fits.
    private var fallback: [Int32] = [0]
    /// The number of bytes of the longest value that ends at a state, or 0, and the state of that value.
    private var length: [Int32] = [0], ending: [Int32] = [0]
    /// The values of a state that are longer than the automaton.
    private var longer: [Int32: Range<Int>] = [:]

    init(_ patterns: [[UInt8]]) {
        values = Set(patterns.map { $0.map(Self.folded) }).sorted { $0.lexicographicallyPrecedes($1) }
        var children: [[(UInt8, Int32)]] = [[]]
        for (index, value) in values.enumerated() { insert(value, index, &children) }
        link(children)
    }

    @inline(__always)
    private static func folded(_ byte: UInt8) -> UInt8 { byte == UInt8(ascii: "+") ? 0x20 : byte }

    // MARK: Building

    private mutating func insert(_ value: [UInt8], _ index: Int, _ children: inout [[(UInt8, Int32)]]) {
        var state: Int32 = 0
        for byte in value.prefix(Self.compared) {
            if let next = edge(state, byte) { state = next; continue }
            let next = Int32(length.count)
            setEdge(state, byte, next)
            children[Int(state)].append((byte, next))
            children.append([])
            length.append(0)
            ending.append(0)
            fallback.append(0)
            state = next
        }
        (length[Int(state)], ending[Int(state)]) = (Int32(min(value.count, Self.compared)), state)
        if value.count > Self.compared { longer[state] = (longer[state]?.lowerBound ?? index)..<index + 1 }
    }

    /// Links the states, those of the fewest bytes first.
    private mutating func link(_ children: [[(UInt8, Int32)]]) {
        var queue: [Int32] = [0], next = 0
        while next < queue.count {
            let state = queue[next]
            next += 1
            for (byte, child) in children[Int(state)] {
                queue.append(child)
                if state != 0 { fallback[Int(child)] = self.next(fallback[Int(state)], byte) }
                let shorter = Int(fallback[Int(child)])
                if length[Int(child)] == 0 { (length[Int(child)], ending[Int(child)]) = (length[shorter], ending[shorter]) }
            }
        }
    }

    @inline(__always)
    private func slot(_ key: UInt64) -> Int {
        Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 20) & (edges.count - 1)
    }

    private mutating func setEdge(_ state: Int32, _ byte: UInt8, _ next: Int32) {
        if edgeCount * 2 >= edges.count {
            let old = edges
            edges = [UInt64](repeating: 0, count: old.count * 2)
            for entry in old where entry != 0 { place(entry) }
        }
        edgeCount += 1
        // No state leads back to the first one, so that no entry is 0.
        place((UInt64(state) << 8 | UInt64(byte)) << 24 | UInt64(next))
    }

    private mutating func place(_ entry: UInt64) {
        var index = slot(entry >> 24)
        while edges[index] != 0 { index = (index + 1) & (edges.count - 1) }
        edges[index] = entry
    }

    @inline(__always)
    private func edge(_ state: Int32, _ byte: UInt8) -> Int32? {
        let key = UInt64(state) << 8 | UInt64(byte)
        var index = slot(key)
        while edges[index] != 0 {
            if edges[index] >> 24 == key { return Int32(truncatingIfNeeded: edges[index] & 0xFF_FFFF) }
            index = (index + 1) & (edges.count - 1)
        }
        return nil
    }

    @inline(__always)
    private func next(_ state: Int32, _ byte: UInt8) -> Int32 {
        var state = state
        while true {
            if let next = edge(state, byte) { return next }
            if state == 0 { return 0 }
            state = fallback[Int(state)]
        }
    }

    // MARK: Finding

    /// Returns the places of the values. Overlapping ones are joined.
    func ranges(in text: UnsafeBufferPointer<UInt8>, _ source: (Range<Int>) -> Range<Int>) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var state: Int32 = 0
        for place in 0..<text.count {
            state = next(state, Self.folded(text[place]))
            guard length[Int(state)] > 0 else { continue }
            var start = place + 1 - Int(length[Int(state)]), end = place + 1
            if let values = longer[ending[Int(state)]], end > found.last?.upperBound ?? 0 { end = self.end(of: values, in: text, from: start) }
            while let last = found.last, last.upperBound >= start {
                (start, end) = (min(start, last.lowerBound), max(end, last.upperBound))
                found.removeLast()
            }
            found.append(start..<end)
        }
        return found.map(source)
    }

    /// Returns the end of the longest text that one of the values starts with.
    private func end(of range: Range<Int>, in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var low = range.lowerBound, high = range.upperBound, depth = Self.compared
        while start + depth < text.count {
            let byte = Self.folded(text[start + depth])
            low = first(in: low..<high) { depth < values[$0].count && values[$0][depth] >= byte }
            high = first(in: low..<high) { depth < values[$0].count && values[$0][depth] > byte }
            if low == high { break }
            depth += 1
        }
        return start + depth
    }

    /// Returns the first index for which a claim holds that holds for all after it.
    private func first(in range: Range<Int>, where holds: (Int) -> Bool) -> Int {
        var low = range.lowerBound, high = range.upperBound
        while low < high {
            let middle = (low + high) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
