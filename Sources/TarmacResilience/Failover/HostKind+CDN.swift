public import TarmacCore

extension HostKind {
    /// The host that serves copies. Its calls fall back to the origin when it cannot be reached, unless a layer sets
    /// ``TarmacCore/Options/failover``.
    public static let cdn = HostKind(copies, defaults: Options { $0.failover = .automatic })

    /// Returns the kind with a stored name.
    package static func named(_ name: String) -> HostKind { name == copies ? cdn : HostKind(name) }

    private static let copies = "cdn"
}
