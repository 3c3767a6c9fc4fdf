/// The pins of a service's connections, by host; see ``PinSet``. A host that no set is for is trusted as without pins.
///
/// ```swift
/// let connection = ConnectionSettings {
///     $0.pins = [PinSet("*.shop.example", ["sha256/…", "sha256/…"], expires: endOfNextYear)]
/// }
/// ```
public struct Pins: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// No pins: the default.
    public static let none: Pins = []

    /// The sets. Of several that are for a host the one that names it counts, else the one with the longest name.
    public var sets: [PinSet]

    public init(_ sets: [PinSet]) { self.sets = sets }
    public init(arrayLiteral sets: PinSet...) { self.init(sets) }

    /// The first thing wrong with them; `nil` when nothing is.
    package var fault: TarmacError? {
        if let fault = sets.lazy.compactMap(\.fault).first { return fault }
        var seen: Set<String> = []
        for set in sets where !set.pattern.claims.allSatisfy({ seen.insert($0).inserted }) {
            return TarmacError(.invalidOption, "pins: there are two pin sets for \(set.host)", suggestion: "put all its pins into one")
        }
        return nil
    }
}
