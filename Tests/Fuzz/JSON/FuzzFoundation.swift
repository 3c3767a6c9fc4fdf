import Foundation

/// A document against Foundation: whether it is one, its values, generated types for it, what is written.
struct FuzzFoundation {
    private static let depth = 32

    let document: JSONDocument
    let data: Data

    init(_ document: JSONDocument, _ data: Data) {
        self.document = document
        self.data = data
    }

    func run(_ random: inout SeededGenerator) {
        compareAcceptance()
        // An error of Foundation's, and trying types makes many, costs the depth, so that a deep text takes its cube.
        if document.root.isDeeper(than: Self.depth) { return }
        compareValues()
        // Keys equal but for normalization, and long numbers with point or exponent, have rows in the table of differences;
        // the values above have shown the numbers' to be no others.
        if document.root.hasNormalizedKeys, !document.root.hasLongFraction { compareTypes(&random) }
    }

    /// What is accepted here, Foundation accepts, but for numbers no `Double` holds.
    private func compareAcceptance() {
        if document.root.hasNumberBeyondDouble { return }
        require((try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil, "Foundation refuses what is accepted here")
    }

    private func compareValues() {
        let here = Result { try TarmacJSONDecoder().decode(NumberTree.self, from: document) }
        let there = Result { try JSONDecoder().decode(NumberTree.self, from: data) }
        switch (here, there) {
        case (.success(let here), .success(let there)): require(here.agrees(with: there), "other values:\n\(here)\n\(there)")
        case (.failure, .failure): break
        default: fatalError("only one reads the values:\n\(here)\n\(there)")
        }
    }

    /// A type the document mostly fits, decoded; what came of it, encoded and decoded again.
    private func compareTypes(_ random: inout SeededGenerator) {
        var strategies = CoderStrategies(&random)
        let plan = TypePlan.fitting(document.root, &random)
        var value: PlannedValue?
        expect(.decoding(plan, data, strategies, value: &value), plan, strategies)
        guard let value else { return }
        // Two keys may become one, and Foundation's coder stops the program if both are containers.
        strategies.keys = .standard
        let varied = PlannedValue(plan: plan, content: value.content.varied(&random))
        expect(.encoding(varied, strategies), plan, strategies)
        guard let text = try? strategies.encoders().here.encode(varied) else { return }
        expect(.decoding(plan, text, strategies), plan, strategies)
    }

    private func expect(_ comparison: Comparison, _ plan: TypePlan, _ strategies: CoderStrategies) {
        if case .different(let words) = comparison { fatalError("\(words)\n\(plan)\n\(strategies)") }
    }
}

extension JSON {
    /// A number too large or too small for a `Double`.
    fileprivate var hasNumberBeyondDouble: Bool {
        switch kind {
        case .number: double == nil || double == 0 && numberText?.prefix { $0 != "e" && $0 != "E" }.contains { ("1"..."9").contains($0) } == true
        case .array: elements.contains(where: \.hasNumberBeyondDouble)
        case .object: members.contains { $0.value.hasNumberBeyondDouble }
        default: false
        }
    }

    /// A number with point or exponent, of more digits than every `Double` holds.
    fileprivate var hasLongFraction: Bool {
        switch kind {
        case .number: numberText.map { text in text.contains { ".eE".contains($0) } && text.count(where: \.isNumber) > 15 } ?? false
        case .array: elements.contains(where: \.hasLongFraction)
        case .object: members.contains { $0.value.hasLongFraction }
        default: false
        }
    }

    fileprivate func isDeeper(than depth: Int) -> Bool {
        guard kind == .array || kind == .object else { return false }
        if depth == 0 { return true }
        return elements.contains { $0.isDeeper(than: depth - 1) } || members.contains { $0.value.isDeeper(than: depth - 1) }
    }

    fileprivate var hasNormalizedKeys: Bool {
        switch kind {
        case .array: elements.allSatisfy(\.hasNormalizedKeys)
        case .object:
            members.allSatisfy { key, value in
                key.unicodeScalars.elementsEqual(key.precomposedStringWithCanonicalMapping.unicodeScalars) && value.hasNormalizedKeys
            }
        default: true
        }
    }
}
