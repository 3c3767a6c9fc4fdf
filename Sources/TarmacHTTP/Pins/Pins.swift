/// The pins of a service's connections, by host; see ``PinSet``. A host without a set has no pins.
///
/// ```swift
/// let connection = ConnectionSettings {
///     $0.pins = [PinSet("*.shop.example", ["sha256/…", "sha256/…"], expires: endOfNextYear)]
/// }
/// ```
public struct Pins: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// No pins. This is the default.
    package static let none: Pins = []

    /// The sets. If several apply to a host, the set that names the host is used, or else the one with the
    /// longest name.
    package var sets: [PinSet]

    public init(_ sets: [PinSet]) { self.sets = sets }
    public init(arrayLiteral sets: PinSet...) { self.init(sets) }

    /// The first fault of the sets, or `nil` if they are valid.
    package var fault: TarmacError? {
        if let fault = sets.lazy.compactMap(\.fault).first { return fault }
        var seen: Set<String> = []
        for set in sets where !set.pattern.claims.allSatisfy({ seen.insert($0).inserted }) {
            return TarmacError(.invalidOption, "pins: there are two pin sets for \(set.host)", suggestion: "put all its pins into one")
        }
        return nil
    }
}
