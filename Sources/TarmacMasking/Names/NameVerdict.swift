/// The answer about a name, in one byte: a rule, and whether the value has a say.
struct NameVerdict: Equatable, Sendable {
    let rawValue: UInt8

    static let harmless = NameVerdict(rawValue: 0)

    enum Decision { case always, unlessNumber, onlyText, codeAlone }

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ rule: SecretRule, _ decision: Decision = .always) {
        switch decision {
        case .always: rawValue = rule.rawValue
        case .unlessNumber: rawValue = rule.rawValue | 0x40
        case .onlyText: rawValue = rule.rawValue | 0x80
        case .codeAlone: rawValue = rule.rawValue | 0xC0
        }
    }

    var rule: SecretRule? { SecretRule(rawValue: rawValue & 0x3F) }

    var decision: Decision {
        switch rawValue & 0xC0 {
        case 0: .always
        case 0x40: .unlessNumber
        case 0x80: .onlyText
        default: .codeAlone
        }
    }
}
