/// The values that an error must not quote. It is created with an error, not with every document.
struct KeyMask {
    private let names: Set<String>

    init(_ options: JSONDocument.Options) {
        names = Set(options.maskedKeys.map(JSONDocument.Options.folded))
    }

    /// Whether the value of `key` is masked.
    func hides(_ key: String) -> Bool { names.contains(JSONDocument.Options.folded(key)) }

    /// Returns a step below the name of a secret for an error: the key may be a secret itself.
    static func hidden(_ step: JSONPath.Component) -> JSONPath.Component { step.key == nil ? step : .key("•••") }

    /// Returns `path` without the keys below the name of a secret.
    func masked(_ path: JSONPath) -> JSONPath {
        guard let first = path.components.firstIndex(where: { $0.key.map(hides) ?? false }) else { return path }
        return JSONPath(path.components[...first] + path.components[(first + 1)...].map(Self.hidden))
    }

    /// Whether the value at the end of `path`, or one around it, is masked.
    func hides(_ path: JSONPath) -> Bool { path.components.contains { $0.key.map(hides) ?? false } }
}

extension JSONDocument.Options {
    /// Returns a name in the form for comparing masked names: without case, `_` and `-`.
    package static func folded(_ name: some StringProtocol) -> String {
        guard name.utf8.allSatisfy({ $0 < 0x80 }) else { return String(name.lowercased().filter { $0 != "_" && $0 != "-" }) }
        // True for nearly every name: its bytes are its characters.
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
