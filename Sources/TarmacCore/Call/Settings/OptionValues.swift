import TarmacJSON

/// The resolved settings of a call: those of the kernel as properties, those of other modules by key.
package struct OptionValues: Sendable {
    package var timeout = TimeLimit.seconds(60)
    var connectTimeout = TimeLimit.seconds(10)
    package var queueTimeout = TimeLimit.unlimited
    var idleTimeout = TimeLimit.seconds(60)
    package var deadline = TimeLimit.unlimited
    var slowCall = TimeLimit.unlimited
    var headers = HeaderSettings()
    var userAgent = UserAgent.standard
    package var host = HostKind.origin
    package var idempotencyKey = IdempotencyKey.off
    var subPath = ""
    var urlFilters: [any URLFilter] = []
    var allowsInsecureHTTP = false
    var networkAccess = NetworkAccess()
    var query = QueryEncoder()
    var bodyFormat = BodyFormat.json
    var parameters = ParameterList()
    package var parameterTransforms: [any ParameterTransform] = []
    var priority = CallPriority.normal
    package var redirects = RedirectRule.follow
    var acceptsCompression = true
    package var maximumBodySize = 64 << 20
    package var maximumInflatedSize = 256 << 20
    package var acceptableStatus = AcceptableStatus.success
    package var acceptableContentTypes = AcceptableContentTypes.automatic
    package var envelope = Envelope.off
    var shape = Shape.any
    package var decoder = BodyDecoder.tarmac
    var encoder = BodyEncoder.tarmac
    package var interceptors: [any Interceptor] = []
    package var attemptInterceptors: [any Interceptor] = []
    package var observers: [any EventObserver] = []
    var mapError: [ErrorMapping] = []
    var secretNames: Set<String> = []
    var shownNames: Set<String> = []
    package var tags: Set<CallTag> = []
    package var userInfo = UserInfo()
    package var principal = ""
    /// The values of other modules' settings that a layer sets.
    var rooms: [ObjectIdentifier: any ResolvedOption] = [:]

    static let standard = OptionValues()

    /// Adds the settings that the chosen host brings and no layer sets.
    mutating func addDefaultsOfHost() {
        // Most hosts have none.
        if host.defaults.isEmpty { return }
        for (key, entry) in host.defaults.entries where rooms[key] == nil { entry.apply(to: &self) }
    }

    /// Returns the value of another module's setting.
    package func value<Key: OptionKey>(of key: Key.Type) -> Key.Value {
        // Most calls set none.
        guard !rooms.isEmpty, let own = rooms[ObjectIdentifier(key)] else { return key.defaultValue }
        // The key of the table is the type of the value.
        return unsafeDowncast(own, to: ResolvedValue<Key>.self).value
    }
}

/// The resolved value of one setting of another module.
protocol ResolvedOption: AnyObject, Sendable {
    func stages(in scope: StageScope) -> [SeatedStage]
    func observer(in scope: StageScope) -> (any EventObserver)?
    var secretNames: Set<String> { get }
    /// The source of credentials, if the setting says how calls authenticate.
    func credentialSource(in scope: StageScope) -> (any CredentialSource)?
    /// The provider of companions, if the setting brings one.
    var companionProvider: (any CompanionProvider)? { get }
    /// The hosts that the setting names for calls to a host that an environment does not have.
    func substitutes(for kind: HostKind) -> [HostKind]
    /// The protection of messages that the setting gives.
    var protection: MessageProtection { get }
    /// Whether the setting changes the bytes of a body on the wire.
    func changes(_ body: Body) -> Bool
}

final class ResolvedValue<Key: OptionKey>: ResolvedOption {
    let value: Key.Value

    init(_ value: Key.Value) { self.value = value }

    func stages(in scope: StageScope) -> [SeatedStage] { Key.stages(value, in: scope) }
    func observer(in scope: StageScope) -> (any EventObserver)? { Key.observer(value, in: scope) }
    var secretNames: Set<String> { Key.secretNames(in: value) }
    func credentialSource(in scope: StageScope) -> (any CredentialSource)? {
        (Key.self as? any CredentialOption.Type).flatMap { source($0, scope) }
    }
    var companionProvider: (any CompanionProvider)? { (Key.self as? any CompanionOption.Type)?.companionProvider }
    var protection: MessageProtection { protecting.map { protection(by: $0) } ?? [] }
    func changes(_ body: Body) -> Bool { protecting.map { changes(body, by: $0) } ?? false }

    /// The key, if it protects messages. Most settings have no stage at the wire, and checking the seat is cheaper than a cast.
    private var protecting: (any ProtectionOption.Type)? {
        guard let zone = Key.seat?.zone, zone >= .sealing else { return nil }
        return Key.self as? any ProtectionOption.Type
    }

    private func changes<Option: ProtectionOption>(_ body: Body, by option: Option.Type) -> Bool {
        (value as? Option.Value).map { option.changes(body, by: $0) } ?? false
    }

    private func protection<Option: ProtectionOption>(by option: Option.Type) -> MessageProtection {
        (value as? Option.Value).map { option.protection(of: $0) } ?? []
    }

    func substitutes(for kind: HostKind) -> [HostKind] {
        (Key.self as? any SubstituteHostOption.Type).map { substitutes($0, kind) } ?? []
    }

    private func substitutes<Option: SubstituteHostOption>(_ option: Option.Type, _ kind: HostKind) -> [HostKind] {
        (value as? Option.Value).map { option.substitutes(for: kind, $0) } ?? []
    }

    private func source<Option: CredentialOption>(_ option: Option.Type, _ scope: StageScope) -> (any CredentialSource)? {
        (value as? Option.Value).flatMap { option.credentialSource($0, in: scope) }
    }
}
