/// Checks a binary property list without decoding it: the depth of nesting, cycles, and the size when each reference is
/// followed. Each object is visited once.
///
/// The format: `bplist00`, objects, a table of their offsets, and a trailer of 32 bytes with the size of offsets and of
/// references, the number of objects, the number of the top object, and the offset of the table.
struct BinaryPropertyList {
    private struct Object {
        /// The objects it contains. Empty for all but arrays, sets and dictionaries.
        var references: [Int] = []
        /// Its size in bytes, with the objects it contains.
        var size: Int
    }
    private enum Seen { case never, open, done(size: Int, height: Int) }
    /// An object on the path from the top object to the current one.
    private struct Step {
        let number: Int
        var object: Object
        var next = 0
        var height = 1
    }

    private let bytes: [UInt8]
    private var offsetSize = 0
    private var referenceSize = 0
    private var table = 0
    private var seen: [Seen] = []
    private var path: [Step] = []
    /// The number of references so far. A valid list has fewer references than bytes.
    private var references = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The reason the list must not be decoded, or `nil` if it is safe.
    mutating func fault() -> String? {
        guard let top = readTrailer() else { return Self.malformed }
        if let fault = enter(top) { return fault }
        while let step = path.last {
            if let fault = step.next < step.object.references.count ? goOn(step.object.references[step.next]) : leave() { return fault }
        }
        return nil
    }

    // MARK: Walking

    /// Visits the next object that the current one contains.
    private mutating func goOn(_ number: Int) -> String? {
        path[path.count - 1].next += 1
        guard seen.indices.contains(number) else { return Self.malformed }
        return switch seen[number] {
        case .never: enter(number)
        case .open: "one of its objects is in itself"
        case .done(let size, let height): add(size, height)
        }
    }

    private mutating func enter(_ number: Int) -> String? {
        guard let object = object(number) else { return Self.malformed }
        references += object.references.count
        if references > bytes.count { return Self.malformed }
        seen[number] = .open
        path.append(Step(number: number, object: object))
        return path.count > PropertyListCheck.depth ? Self.tooDeep : nil
    }

    private mutating func leave() -> String? {
        guard let step = path.popLast() else { return nil }
        seen[step.number] = .done(size: step.object.size, height: step.height)
        return path.isEmpty ? nil : add(step.object.size, step.height)
    }

    /// Adds the size and height of a visited object to the object that contains it.
    private mutating func add(_ size: Int, _ height: Int) -> String? {
        let last = path.count - 1
        path[last].object.size += size
        path[last].height = max(path[last].height, height + 1)
        if path.count + height > PropertyListCheck.depth { return Self.tooDeep }
        // XML parsers allow entities the same growth: a hundredfold for large documents.
        return path[last].object.size / 100 > max(bytes.count, 80_000) ? "it comes to more than a hundred times its size" : nil
    }

    private static let malformed = "its objects are malformed"
    private static let tooDeep = "it is nested more than \(PropertyListCheck.depth) levels deep"

    // MARK: Reading

    /// Reads the trailer and returns the number of the top object.
    private mutating func readTrailer() -> Int? {
        guard bytes.count >= 40 else { return nil }
        let trailer = bytes.count - 32
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else { return nil }
        guard let count = integer(at: trailer + 8, size: 8), let top = integer(at: trailer + 16, size: 8) else { return nil }
        guard let table = integer(at: trailer + 24, size: 8), table < trailer, count <= (trailer - table) / offsetSize, top < count else { return nil }
        self.table = table
        seen = Array(repeating: .never, count: count)
        return top
    }

    private func object(_ number: Int) -> Object? {
        guard let offset = integer(at: table + number * offsetSize, size: offsetSize), offset < table else { return nil }
        let (kind, low) = (bytes[offset] >> 4, Int(bytes[offset] & 0x0F))
        // Foundation on Linux ends the process at a set. No property list that a program writes contains one.
        if kind == 0xB || kind == 0xC { return nil }
        guard (0x4...0xD).contains(kind), kind != 0x8, kind != 0x9 else { return Object(size: 16) }
        var (count, start) = (low, offset + 1)
        if low == 0xF {
            guard start < table, bytes[start] >> 4 == 1 else { return nil }
            let size = 1 << Int(bytes[start] & 0x0F)
            guard size <= 8, let long = integer(at: start + 1, size: size) else { return nil }
            (count, start) = (long, start + 1 + size)
        }
        // Data and strings of one, two or at most four bytes a character.
        if kind < 0xA { return count <= table ? Object(size: 16 + count * (kind == 0x6 ? 2 : 1)) : nil }
        let (references, isTooLarge) = count.multipliedReportingOverflow(by: kind == 0xD ? 2 : 1)
        guard !isTooLarge, start <= table, references <= (table - start) / referenceSize else { return nil }
        let numbers = (0..<references).compactMap { integer(at: start + $0 * referenceSize, size: referenceSize) }
        if kind == 0xD, !numbers.prefix(count).allSatisfy(isText) { return nil }
        return Object(references: numbers, size: 16)
    }

    /// Whether an object is a text, as each key of a dictionary.
    private func isText(_ number: Int) -> Bool {
        guard seen.indices.contains(number), let offset = integer(at: table + number * offsetSize, size: offsetSize), offset < table else { return false }
        return (0x5...0x7).contains(bytes[offset] >> 4)
    }

    /// An unsigned number, or `nil` if it is out of bounds or too large for `Int`.
    private func integer(at place: Int, size: Int) -> Int? {
        guard place >= 0, size <= bytes.count - place else { return nil }
        return Int(exactly: bytes[place..<(place + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
