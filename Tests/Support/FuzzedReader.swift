import Foundation
import TarmacTesting
import Testing

/// A reader of bytes from outside, with texts that it accepts.
struct FuzzedReader: Sendable, CustomTestStringConvertible {
    let name: String
    let seeds: [[UInt8]]
    /// The part of the seconds that it gets. A short text has fewer states than a file, and a second reads more of them.
    let share: Double
    /// Reads bytes of any kind. An error is an answer; the end of the process is none.
    let read: @Sendable ([UInt8]) throws -> Void

    init(_ name: String, _ seeds: [String], share: Double = 1, _ read: @escaping @Sendable ([UInt8]) throws -> Void) {
        self.init(name, bytes: seeds.map { Array($0.utf8) }, share: share, read)
    }

    init(_ name: String, bytes seeds: [[UInt8]], share: Double = 1, _ read: @escaping @Sendable ([UInt8]) throws -> Void) {
        (self.name, self.seeds, self.share, self.read) = (name, seeds, share, read)
    }

    /// A reader of texts, such as the value of a field.
    init(text name: String, _ seeds: [String], share: Double = 1.0 / 3, _ read: @escaping @Sendable (String) throws -> Void) {
        self.init(name, seeds, share: share) { try read(String(decoding: $0, as: UTF8.self)) }
    }

    var testDescription: String { name }
}

/// How long a reader is fuzzed: a number of inputs, or the seconds of TARMAC_FUZZ_SECONDS, as `scripts/fuzz readers` sets them.
struct FuzzBudget {
    private static let seconds = ProcessInfo.processInfo.environment["TARMAC_FUZZ_SECONDS"].flatMap { Double($0) }
    /// TARMAC_FUZZ_TURNS: one reader in so many gets all its seconds, another one each day, and the rest a tenth of them.
    private static let turns = ProcessInfo.processInfo.environment["TARMAC_FUZZ_TURNS"].flatMap { Int($0) } ?? 1
    private static let day = Int(Date().timeIntervalSince1970 / 86_400)
    private static let seed = ProcessInfo.processInfo.environment["TARMAC_FUZZ_SEED"].flatMap { UInt64($0) } ?? 39
    /// The folder in which the input that is being read is kept, for the process that it ends.
    private static let folder = ProcessInfo.processInfo.environment["TARMAC_FUZZ_FOLDER"]
    private static let inputs = 1_500

    /// Reads mutations of the seeds. Returns their number.
    static func spend(on reader: FuzzedReader) -> Int {
        var mutator = FuzzMutator(seeds: reader.seeds, generator: SeededGenerator(seed: seed))
        let hasTurn = reader.name.utf8.reduce(0) { $0 + Int($1) } % max(turns, 1) == day % max(turns, 1)
        let end = seconds.map { ContinuousClock.now + .seconds($0 * reader.share * (hasTurn ? 1 : 0.1)) }, file = folder.map { "\($0)/\(reader.name)" }
        var count = 0, slowest = Duration.zero
        while end.map({ ContinuousClock.now < $0 }) ?? (count < inputs) {
            let input = mutator.next()
            if let file { try? Data(input).write(to: URL(fileURLWithPath: file)) }
            let start = ContinuousClock.now
            try? reader.read(input)
            slowest = max(slowest, start.duration(to: .now))
            count += 1
        }
        if let file { try? FileManager.default.removeItem(atPath: file) }
        if seconds != nil {
            print("\(reader.name): \(count) inputs, the slowest \(slowest)")
            // No input is longer than 16 KiB. What takes seconds for one grows faster than its input.
            if slowest > .seconds(5) { Issue.record("\(reader.name) took \(slowest) for one input") }
        }
        return count
    }
}

/// Makes inputs of seeds: bytes changed, cut out, doubled and taken from another seed, numbers at their limits, and long runs.
struct FuzzMutator {
    let seeds: [[UInt8]]
    var generator: SeededGenerator

    private static let longest = 16_384
    private static let tokens: [[UInt8]] =
        [
            "0", "-1", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551615", "1e308", "1e-400", "4294967296", "0x", "%",
            "%00", "\u{0}", "\r\n", "\n\n", "\"", "\\", "\\u0000", "\\ud800", ";", ",", "=", ":", "[", "]", "{", "}", "<", ">", "&", "&#0;", "<!--", "--",
            "]]>",
            "é", "😀", "e\u{301}", "\u{FEFF}", "..", "/", "//", "@", "::", "xn--", "null", "true", " ", "\t", "<?", "?>", "<!DOCTYPE", "a=,",
        ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0x80, 0x00, 0x00, 0x00], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]]

    mutating func next() -> [UInt8] {
        var bytes = seeds.randomElement(using: &generator) ?? []
        for _ in 0..<Int.random(in: 1...6, using: &generator) { mutate(&bytes) }
        return Array(bytes.prefix(Self.longest))
    }

    private mutating func mutate(_ bytes: inout [UInt8]) {
        let place = Int.random(in: 0...bytes.count, using: &generator)
        let part = place..<min(place + Int.random(in: 0...16, using: &generator), bytes.count)
        switch Int.random(in: 0..<9, using: &generator) {
        case 0 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 2: bytes.removeSubrange(part)
        case 3: bytes.insert(contentsOf: bytes[part], at: place)
        case 4: bytes.replaceSubrange(part, with: Self.tokens.randomElement(using: &generator) ?? [])
        case 5: bytes.removeSubrange(place...)
        case 6: bytes.insert(contentsOf: seeds.randomElement(using: &generator) ?? [], at: place)
        // The digits of a number become those of another.
        case 7: replaceNumber(in: &bytes)
        default: bytes.insert(contentsOf: repeated(bytes[part]), at: place)
        }
    }

    private mutating func repeated(_ part: ArraySlice<UInt8>) -> [UInt8] {
        let unit = part.isEmpty ? Self.tokens.randomElement(using: &generator) ?? [] : Array(part)
        return Array(repeatElement(unit, count: Int.random(in: 1...200, using: &generator)).joined())
    }

    private mutating func replaceNumber(in bytes: inout [UInt8]) {
        let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
        guard let start = bytes.indices.filter({ isDigit(bytes[$0]) }).randomElement(using: &generator) else { return }
        let end = bytes[start...].firstIndex { !isDigit($0) } ?? bytes.count
        bytes.replaceSubrange(start..<end, with: Self.tokens[Int.random(in: 0..<9, using: &generator)])
    }
}
