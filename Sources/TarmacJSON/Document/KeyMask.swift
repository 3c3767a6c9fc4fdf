/// Says which values an error must not quote. Made when an error is, not with every document.
struct KeyMask {
    private let names: Set<String>

    init(_ options: JSONDocument.Options) {
        names = Set(options.maskedKeys.map(Self.folded))
    }

    /// Whether the value of `key` is masked.
    func hides(_ key: String) -> Bool { names.contains(Self.folded(key)) }

    /// Whether the value at the end of `path`, or one around it, is masked.
    func hides(_ path: JSONPath) -> Bool { path.components.contains { $0.key.map(hides) ?? false } }

    private static func folded(_ key: String) -> String {
        String(key.lowercased().filter { $0 != "_" && $0 != "-" })
    }
}
