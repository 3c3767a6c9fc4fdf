/// Finds the children of an object or array in text that this module wrote.
struct ChildScanner {
    private(set) var count = 0
    /// The keys of an object, with their quotes.
    private(set) var keys: [Range<Int>] = []
    /// The end of the last child.
    private(set) var end = 1

    init(_ text: Span<UInt8>) {
        var (place, depth, isKeyDue) = (0, 0, false)
        while place < text.count {
            let start = place
            switch text.byte(at: place) {
            case 0x7B, 0x5B:
                depth += 1
                if depth == 1 { isKeyDue = text.byte(at: place) == 0x7B }
            case 0x7D, 0x5D: depth -= 1
            case 0x2C:
                if depth == 1 {
                    count += 1
                    isKeyDue = text.byte(at: 0) == 0x7B
                }
            case 0x22:
                place = Self.endOfString(text, from: place)
                if depth == 1, isKeyDue {
                    keys.append(start..<(place + 1))
                    isKeyDue = false
                }
            case EncodingRun.placeholder: place += EncodingRun.placeholderLength - 1
            case 0x20, 0x0A:
                place += 1
                continue
            default: break
            }
            place += 1
            if depth > 0 { end = place }
        }
        if end > 1 { count += 1 }
    }

    private static func endOfString(_ text: Span<UInt8>, from start: Int) -> Int {
        var place = start + 1
        while text.byte(at: place) != 0x22 { place += text.byte(at: place) == 0x5C ? 2 : 1 }
        return place
    }
}
