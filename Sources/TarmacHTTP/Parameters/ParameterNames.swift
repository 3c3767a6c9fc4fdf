/// The places of the names of a long list that is built name by name. Without them, setting each parameter would compare
/// its name with all before it.
struct ParameterNames: Sendable {
    private static let shortList = 32

    /// The first place of each name, and whether others follow; nil for a short list and after an edit in another way.
    private var places: [String: (first: Int, isRepeated: Bool)]?
    /// The names compared and indexed since the last such edit.
    private(set) var steps = 0

    /// Returns the first place of a name.
    func place(of name: String, in list: [Parameter]) -> Int? {
        places.map { $0[name]?.first } ?? list.firstIndex { $0.name == name }
    }

    /// Returns the first place of a name, or `nil` if it is new: it is then noted for the parameter that the caller appends.
    mutating func placeOrNext(of name: String, in list: [Parameter]) -> Int? {
        guard places != nil else { return place(of: name, in: list) }
        steps += 1
        // One look-up, which inserts a new name.
        let first = Self.first(of: &places![name, default: (list.count, false)])
        return first < list.count ? first : nil
    }

    private static func first(of entry: inout (first: Int, isRepeated: Bool)) -> Int { entry.first }

    /// Whether more than one parameter may have the name.
    func mayRepeat(_ name: String) -> Bool { places.map { $0[name]?.isRepeated ?? false } ?? true }

    /// Indexes a long list once setting parameters has compared its names several times.
    mutating func prepare(_ list: [Parameter]) {
        guard places == nil, list.count > Self.shortList else { return }
        steps += list.count
        guard steps > 4 * list.count else { return }
        places = [:]
        for (place, parameter) in list.enumerated() { append(parameter.name, at: place) }
    }

    /// Notes a parameter appended at `place`.
    mutating func append(_ name: String, at place: Int) {
        guard places != nil else { return }
        steps += 1
        if let former = places?.updateValue((place, false), forKey: name) { places?[name] = (former.first, true) }
    }

    mutating func reset() { self = ParameterNames() }
}
