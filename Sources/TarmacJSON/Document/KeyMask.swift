/// Says which values an error must not quote. Made when an error is, not with every document.
struct KeyMask {
    private let names: Set<String>

    init(_ options: JSONDocument.Options) {
        names = Set(options.maskedKeys.map(JSONDocument.Options.folded))
    }

    /// Whether the value of `key` is masked.
    func hides(_ key: String) -> Bool { names.contains(JSONDocument.Options.folded(key)) }

    /// What an error shows of a step below a secret's name: the key may be one itself.
    static func hidden(_ step: JSONPath.Component) -> JSONPath.Component { step.key == nil ? step : .key("•••") }

    /// `path` without the keys below a secret's name.
    func masked(_ path: JSONPath) -> JSONPath {
        guard let first = path.components.firstIndex(where: { $0.key.map(hides) ?? false }) else { return path }
        return JSONPath(path.components[...first] + path.components[(first + 1)...].map(Self.hidden))
    }

    /// Whether the value at the end of `path`, or one around it, is masked.
    func hides(_ path: JSONPath) -> Bool { path.components.contains { $0.key.map(hides) ?? false } }
}

extension JSONDocument.Options {
    /// A name as masked names are compared: without case, `_` and `-`.
    package static func folded(_ name: some StringProtocol) -> String {
        guard name.utf8.allSatisfy({ $0 < 0x80 }) else { return String(name.lowercased().filter { $0 != "_" && $0 != "-" }) }
        // Nearly every name: its bytes are its characters.
        let bytes: [UInt8] = name.utf8.compactMap { byte in
            switch byte {
            case UInt8(ascii: "_"), UInt8(ascii: "-"): nil
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
            default: byte
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
