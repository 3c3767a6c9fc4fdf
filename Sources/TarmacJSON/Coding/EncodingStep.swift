/// A key on the way from the root to a nested container; ways share their beginnings, and go with the last who holds them.
final class EncodingStep {
    private let key: AnyCodingKey
    private var parent: EncodingStep?

    init(_ key: AnyCodingKey, after parent: EncodingStep?) {
        self.key = key
        self.parent = parent
    }

    /// Frees a long way step by step: recursion would take stack for each.
    deinit {
        var rest = parent
        parent = nil
        while rest != nil, isKnownUniquelyReferenced(&rest) {
            let next = rest?.parent
            rest?.parent = nil
            rest = next
        }
    }

    /// The keys up to here.
    var path: [any CodingKey] {
        var path: [any CodingKey] = []
        var step: EncodingStep? = self
        while let current = step {
            path.append(current.key)
            step = current.parent
        }
        return path.reversed()
    }
}
