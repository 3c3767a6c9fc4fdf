/// A key on the path from the root to a nested container. Paths share their beginnings, and the last holder releases
/// them.
final class EncodingStep {
    private let key: AnyCodingKey
    private var parent: EncodingStep?

    init(_ key: AnyCodingKey, after parent: EncodingStep?) {
        self.key = key
        self.parent = parent
    }

    /// Releases a long path step by step: recursion would take stack for each step.
    deinit {
        var rest = parent
        parent = nil
        while rest != nil, isKnownUniquelyReferenced(&rest) {
            let next = rest?.parent
            rest?.parent = nil
            rest = next
        }
    }

    /// The keys up to this step.
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
