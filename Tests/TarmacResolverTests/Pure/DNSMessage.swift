import TarmacResolver

/// Writes answers of a DNS server for the tests.
struct DNSMessage {
    var name: String
    var kind = DNSQuestion.Kind.ipv4
    var flags: UInt16 = 0x8180
    /// The records, each with the bytes of its owner.
    var records: [(owner: [UInt8], kind: UInt16, life: UInt32, data: [UInt8])] = []
    var authorities: [(owner: [UInt8], kind: UInt16, life: UInt32, data: [UInt8])] = []

    /// A pointer to the name of the question.
    static let asked: [UInt8] = [0xC0, 12]

    static func address(_ text: String, life: UInt32 = 60, of owner: [UInt8] = asked) -> (owner: [UInt8], kind: UInt16, life: UInt32, data: [UInt8]) {
        let bytes = HostAddress(text)?.bytes ?? []
        return (owner, bytes.count == 4 ? 1 : 28, life, bytes)
    }

    /// The bytes of a name, without compression.
    static func labels(_ name: String) -> [UInt8] {
        name.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
    }

    static func zone(life: UInt32, minimum: UInt32) -> (owner: [UInt8], kind: UInt16, life: UInt32, data: [UInt8]) {
        (labels("example"), 6, life, [0, 0] + Array(repeating: 0, count: 16) + long(minimum))
    }

    static func long(_ number: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
    private static func short(_ number: Int) -> [UInt8] { [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)] }

    var bytes: [UInt8] {
        var bytes = [0, 0] + Self.short(Int(flags)) + [0, 1] + Self.short(records.count) + Self.short(authorities.count) + [0, 0]
        bytes += Self.labels(name) + [0, UInt8(kind.rawValue), 0, 1]
        for record in records + authorities {
            bytes += record.owner + Self.short(Int(record.kind)) + [0, 1] + Self.long(record.life) + Self.short(record.data.count) + record.data
        }
        return bytes
    }
}
