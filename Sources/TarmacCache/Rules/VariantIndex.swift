/// The places of many stored responses to one URL, by what they vary by and by the request fields they were stored for
/// (RFC 9111 §4.1). A request finds the few that it may select without a look at all.
struct VariantIndex: Sendable {
    private struct Group: Sendable {
        let variant: CacheVariant
        /// By the normalized request fields.
        var places: [String: [Int]] = [:]
        /// The responses that state a language, by that language: a request may select them by its most preferred one.
        var ofLanguages: [String: [Int]] = [:]
    }
    private var groups: [Group] = []

    init(_ variants: some Sequence<(variant: CacheVariant, stored: String)>) {
        for (place, (variant, stored)) in variants.enumerated() where variant.names != nil {
            let known = groups.firstIndex { $0.variant.isOfSameFields(as: variant) }
            if known == nil { groups.append(Group(variant: variant)) }
            let index = known ?? groups.count - 1
            groups[index].places[stored, default: []].append(place)
            if let language = variant.language { groups[index].ofLanguages[language, default: []].append(place) }
        }
    }

    /// Returns the places of the responses that a request may select, in ascending order. Others do not match.
    func candidates(_ choice: inout VariantChoice) -> [Int] {
        var found: [Int] = []
        for group in groups {
            if let text = choice.text(of: group.variant) { found += group.places[text] ?? [] }
            guard !group.ofLanguages.isEmpty, let language = choice.language else { continue }
            found += group.ofLanguages[language] ?? []
        }
        return found.count < 2 ? found : Set(found).sorted()
    }
}
