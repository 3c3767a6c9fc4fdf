import TarmacJSON

/// The resolved settings of a call: those of the kernel as properties, those of other modules by key.
package struct OptionValues: Sendable {
    package var timeout = TimeLimit.seconds(60)
    package var connectTimeout = TimeLimit.seconds(10)
    package var queueTimeout = TimeLimit.forSlots
    package var idleTimeout = TimeLimit.seconds(60)
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
    var rooms: [ObjectIdentifier: any SettingEntry] = [:]

    static let standard = OptionValues()

    /// Adds the settings that the chosen host brings and no layer sets.
    mutating func addDefaultsOfHost() {
        // Most hosts have none.
        if host.defaults.isEmpty { return }
        for (key, entry) in host.defaults.entries where rooms[key] == nil { entry.apply(to: &self) }
    }

    /// Returns the value of another module's setting.
    package func value<Value>(of setting: Setting<Value>) -> Value {
        // Most calls set none.
        guard !rooms.isEmpty, let own = rooms[ObjectIdentifier(setting)] else { return setting.defaultValue }
        return setting.value(in: own)
    }

    /// Returns the value of any setting.
    func resolved<Value>(_ setting: Setting<Value>) -> Value { setting.field.map { self[keyPath: $0] } ?? value(of: setting) }
}
