/// Reads answers of the Domain Name System (RFC 1035 §4; pure). An attacker on the path may have written them.
package struct DNSAnswerReader {
    package static let sizeLimit = 65_535
    private static let recordLimit = 512
    private static let aliasLimit = 16
    private static let pointerLimit = 32

    private let bytes: [UInt8]
    private var place = 0

    private struct Record {
        let owner: [UInt8]
        let kind: UInt16
        let isInternet: Bool
        let life: UInt32
        let data: Range<Int>
    }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the addresses of an answer to the question for a name.
    ///
    /// An answer without addresses counts for as long as the zone says (RFC 2308 §5), and at most as a negative one may.
    /// - Throws: ``AnswerFault``.
    package static func read(_ bytes: [UInt8], to name: String, _ kind: DNSQuestion.Kind) throws(AnswerFault) -> NameAnswer {
        guard bytes.count <= sizeLimit else { throw AnswerFault("the answer is longer than a DNS message can be") }
        guard let asked = DNSQuestion.wireName(name) else { throw AnswerFault("no question can hold the name") }
        var reader = DNSAnswerReader(bytes)
        return try reader.answer(asked, kind)
    }

    private mutating func answer(_ asked: [UInt8], _ kind: DNSQuestion.Kind) throws(AnswerFault) -> NameAnswer {
        _ = try number()
        let flags = try number()
        let questions = try number(), answers = Int(try number()), authorities = Int(try number())
        _ = try number()
        guard flags & 0x8000 != 0, flags & 0x7800 == 0 else { throw AnswerFault("the message is no answer") }
        let code = flags & 0x000F
        guard code == 0 || code == 3 else { throw AnswerFault("the DNS server answered with code \(code)") }
        guard flags & 0x0200 == 0 else { throw AnswerFault("the answer is cut off") }
        guard questions == 1, answers + authorities <= Self.recordLimit else { throw AnswerFault("the answer has too many parts") }
        guard try self.name() == asked, try number() == kind.rawValue, try number() == 1 else {
            throw AnswerFault("the answer is to another question")
        }
        var records: [Record] = []
        for _ in 0..<answers { records.append(try record()) }
        if code == 0, let found = try addresses(of: asked, kind, in: records) { return found }
        return NameAnswer([], life: negativeLife(authorities))
    }

    /// The addresses of a name, or of the name that it is an alias of.
    private func addresses(of asked: [UInt8], _ kind: DNSQuestion.Kind, in records: [Record]) throws(AnswerFault) -> NameAnswer? {
        var owner = asked, life = UInt32.max
        for _ in 0...Self.aliasLimit {
            let own = records.filter { $0.owner == owner && $0.isInternet }
            let found = own.filter { $0.kind == kind.rawValue }
            let addresses = found.compactMap { $0.data.count == (kind == .ipv4 ? 4 : 16) ? HostAddress(bytes: bytes[$0.data]) : nil }
            if !addresses.isEmpty {
                return NameAnswer(addresses, life: .seconds(Int64(min(life, found.map(\.life).min() ?? 0))))
            }
            guard let alias = own.first(where: { $0.kind == 5 }) else { return nil }
            life = min(life, alias.life)
            var reader = self
            reader.place = alias.data.lowerBound
            owner = try reader.name()
        }
        throw AnswerFault("the answer has too many aliases")
    }

    /// The smaller of the life of the zone's record and the number in it.
    private mutating func negativeLife(_ count: Int) -> Duration {
        for _ in 0..<count {
            guard let record = try? record() else { break }
            guard record.kind == 6, record.data.count >= 20 else { continue }
            var reader = self
            reader.place = record.data.upperBound - 4
            return .seconds(Int64(min(record.life, (try? reader.longNumber()) ?? 0)))
        }
        return .zero
    }

    private mutating func record() throws(AnswerFault) -> Record {
        let owner = try name(), kind = try number(), network = try number(), life = try longNumber(), count = Int(try number())
        guard count <= bytes.count - place else { throw Self.cut }
        defer { place += count }
        // A number with its highest bit counts as 0 (RFC 2181 §8).
        return Record(owner: owner, kind: kind, isInternet: network == 1, life: life > 0x7FFF_FFFF ? 0 : life, data: place..<place + count)
    }

    /// Reads a name in lower case. A pointer leads to an earlier place, so that no name is endless.
    private mutating func name() throws(AnswerFault) -> [UInt8] {
        var name: [UInt8] = [], at = place, earliest = place, pointers = 0
        while true {
            guard at < bytes.count else { throw Self.cut }
            let length = Int(bytes[at])
            switch length {
            case 0:
                if pointers == 0 { place = at + 1 }
                return name + [0]
            case 1...63:
                guard length < bytes.count - at else { throw Self.cut }
                name.append(UInt8(length))
                for byte in bytes[at + 1...at + length] { name.append((65...90).contains(byte) ? byte + 32 : byte) }
                guard name.count < 255 else { throw AnswerFault("a name in the answer is too long") }
                at += length + 1
            case 192...255:
                guard at + 1 < bytes.count else { throw Self.cut }
                let target = (length & 0x3F) << 8 | Int(bytes[at + 1])
                if pointers == 0 { place = at + 2 }
                guard target < earliest, pointers < Self.pointerLimit else { throw AnswerFault("a name in the answer leads to itself") }
                (at, earliest, pointers) = (target, target, pointers + 1)
            default: throw AnswerFault("a name in the answer has an unknown form")
            }
        }
    }

    private mutating func number() throws(AnswerFault) -> UInt16 {
        guard bytes.count - place >= 2 else { throw Self.cut }
        defer { place += 2 }
        return UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])
    }

    private mutating func longNumber() throws(AnswerFault) -> UInt32 { UInt32(try number()) << 16 | UInt32(try number()) }

    private static let cut = AnswerFault("the answer ends too early")
}
