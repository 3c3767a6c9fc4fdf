package import HTTPTypes
package import TarmacJSON

/// The resolved layers of one call. A service keeps its own, so a call that adds nothing copies one reference.
package final class ResolvedOptions: Sendable {
    package let values: OptionValues
    /// The layers, lowest first.
    package let layers: [OptionLayer]
    /// The first invalid setting. A call that has one fails before anything is sent.
    package let fault: TarmacError?
    /// The header fields of endpoint and call, and those that every request has. They stay in the request until a
    /// redirect leaves its origin.
    package let callFields: HTTPFields
    /// The same fields for bodies delivered as a stream or to a file, which are requested uncompressed.
    let streamFields: HTTPFields
    /// Whether Accept-Encoding was set by Tarmac and not by the caller.
    let choosesCoding: Bool
    /// The header fields of client and service. They are sent only to the service's own origins.
    package let serviceFields: HTTPFields
    /// The standard fields in whose place client or service have their own. Other origins receive them.
    let replacedFields: HTTPFields
    package let redactor: Redactor
    /// The ``Options/secretNames`` that no upper layer shows.
    let hiddenNames: Set<String>
    package let documentOptions: JSONDocument.Options
    /// The decoder and the options for reading bodies, as one reference.
    let reading: ResponseReading
    let plan: InterceptorPlan
    /// Whether an observer needs the events of each step of a request.
    let followsSteps: Bool
    /// The source of the call's credentials.
    package let credentials: (any CredentialSource)?
    /// The same source if the credentials are part of every request, as opposed to a session's.
    let fixedCredentials: (any CredentialSource)?
    /// Makes the companions that follow a call from start to end, or `nil` if there are none.
    let companions: (any CompanionProvider)?
    /// The observers of the layers, and those that settings bring.
    package let observers: [any EventObserver]

    private let support: TransportSupport
    private let service: ServiceScope
    private let makePlan: InterceptorPlan.Maker

    convenience init(layers: [OptionLayer], support: TransportSupport, service: ServiceScope, makePlan: @escaping InterceptorPlan.Maker) {
        self.init(values: .standard, layers: layers, adding: layers[...], support: support, service: service, makePlan: makePlan)
    }

    /// Returns the same settings with further layers on top.
    func adding(_ more: [OptionLayer]) -> ResolvedOptions {
        let filled = more.filter { !$0.options.isEmpty }
        if filled.isEmpty { return self }
        let layers = layers + filled
        return ResolvedOptions(values: values, layers: layers, adding: layers.suffix(filled.count), support: support, service: service, makePlan: makePlan)
    }

    private init(
        values: OptionValues, layers: [OptionLayer], adding: ArraySlice<OptionLayer>, support: TransportSupport, service: ServiceScope,
        makePlan: @escaping InterceptorPlan.Maker
    ) {
        var values = values
        for layer in adding {
            for entry in layer.options.entries.values { entry.apply(to: &values) }
        }
        values.addDefaultsOfHost()
        self.values = values
        self.layers = layers
        self.support = support
        self.service = service
        self.makePlan = makePlan
        var scope = StageScope(service, values)
        credentials = values.rooms.isEmpty ? nil : values.rooms.values.lazy.compactMap { $0.credentialSource(in: scope) }.first
        fixedCredentials = credentials?.isSession == false ? credentials : nil
        observers = values.rooms.isEmpty ? values.observers : values.observers + values.rooms.values.compactMap { $0.observer(in: scope) }
        companions = values.rooms.isEmpty ? nil : values.rooms.values.lazy.compactMap(\.companionProvider).first
        fault = layers.lazy.compactMap { $0.fault ?? $0.refusal(by: support) }.first
        let (call, service) = Self.fields(layers)
        serviceFields = service
        choosesCoding = !call.contains(.acceptEncoding)
        let standard = StandardFields(agent: values.userAgent.text, coding: values.acceptsCompression ? AcceptEncoding.value : "identity")
        callFields = standard.completing(call, unlessIn: service)
        streamFields = standard.completing(call, unlessIn: service, ofStreams: true)
        replacedFields = service.isEmpty ? [:] : standard.completing([:], unlessIn: call).filter { service.contains($0.name) }
        let credentialNames = values.rooms.values.reduce(into: Set<String>()) { $0.formUnion($1.secretNames) }
        let isStandard = credentialNames.isEmpty && values.secretNames.isEmpty && values.shownNames.isEmpty
        redactor = isStandard ? .standard : Self.redactor(layers, hiding: credentialNames)
        hiddenNames = isStandard ? [] : values.secretNames.filter(redactor.isSecret)
        documentOptions = isStandard ? Redactor.standardDocumentOptions : redactor.documentOptions
        reading = ResponseReading(values.decoder, documentOptions)
        scope.stamps = !serviceFields.isEmpty || fixedCredentials != nil
        plan = makePlan(scope)
        followsSteps = observers.contains(where: \.followsSteps)
    }

    /// A name counts as the uppermost layer says that names it.
    private static func redactor(_ layers: [OptionLayer], hiding credentialNames: Set<String>) -> Redactor {
        layers.reduce(Redactor.standard) { $0.showing($1.options.shownNames).adding(parameters: $1.options.secretNames) }
            .adding(parameters: credentialNames)
    }

    private static func fields(_ layers: [OptionLayer]) -> (call: HTTPFields, service: HTTPFields) {
        let merged: (Bool) -> HeaderSettings = { ofCall in
            layers.filter { $0.origin.isOfCall == ofCall }.reduce(HeaderSettings()) { $1.options.headers.merged(over: $0) }
        }
        let upper = merged(true), lower = merged(false)
        // A malformed name or value is in `fault`, and nothing is sent.
        let call = (try? upper.fields()) ?? [:]
        var service = (try? lower.fields()) ?? [:]
        for name in upper.removed.compactMap({ HTTPField.Name($0) }) { service[name] = nil }
        if service.contains(.userAgent), isSet(Settings.userAgent, above: .userAgent, layers) { service[.userAgent] = nil }
        if service.contains(.acceptEncoding), isSet(Settings.acceptsCompression, above: .acceptEncoding, layers) { service[.acceptEncoding] = nil }
        return (call, service)
    }

    /// Whether a layer sets an option above the layer that names its header field.
    private static func isSet<Value>(_ option: Setting<Value>, above field: HTTPField.Name, _ layers: [OptionLayer]) -> Bool {
        guard let setting = layers.lastIndex(where: { $0.options[option] != nil }) else { return false }
        let naming = layers.lastIndex { !$0.origin.isOfCall && $0.options.headers[field.rawName] != nil }
        return naming.map { $0 < setting } ?? false
    }

    /// Returns the value of another module's setting.
    package func value<Value>(of setting: Setting<Value>) -> Value { values.value(of: setting) }

    /// Whether endpoint or call set their own parameter transforms.
    var hasOwnTransforms: Bool { layers.contains { $0.origin.isOfCall && $0.options[Settings.parameterTransforms] != nil } }

    /// Whether endpoint or call set their own credentials.
    package var hasOwnCredentials: Bool {
        layers.contains { $0.origin.isOfCall && $0.options.entries.values.contains(where: \.setsCredentials) }
    }
}

/// The name and the capabilities of a call's transport.
struct TransportSupport: Sendable {
    let name: String
    let capabilities: TransportCapabilities
}

extension OptionLayer {
    /// The first setting of this layer, by name, that the transport cannot honor. It is refused and never ignored.
    fileprivate func refusal(by support: TransportSupport) -> TarmacError? {
        let refusals = options.entries.values.compactMap { entry in
            entry.refusal(by: support.capabilities).map { (entry.name, $0) }
        }
        return refusals.min { $0.0 < $1.0 }.map { name, reason in
            TarmacError(
                .unsupported, "the option \(name) of the \(origin): \(support.name) \(reason)", suggestion: "leave \(name) unset, or use another transport")
        }
    }

    /// The first invalid setting of this layer, by name.
    fileprivate var fault: TarmacError? {
        if let fault = options[Settings.headers]?.fault { return fault }
        let faults = options.entries.values.compactMap { entry in entry.fault.map { (entry.name, entry.description, $0) } }
        return faults.min { $0.0 < $1.0 }.map { name, value, fault in
            TarmacError(.invalidOption, "the option \(name) of the \(origin) is \(value), and \(fault)")
        }
    }
}

/// The fields that every request has.
private struct StandardFields {
    let agent: String?
    let coding: String

    /// Adds those that neither the fields have nor others, which are added later. A stream may be resumed, and a part of a
    /// coded body cannot be decoded by itself (RFC 9110 §14.2): it always asks for `identity`.
    func completing(_ own: HTTPFields, unlessIn later: HTTPFields, ofStreams: Bool = false) -> HTTPFields {
        var fields = own
        func isMissing(_ name: HTTPField.Name) -> Bool { !own.contains(name) && !later.contains(name) }
        if let agent, isMissing(.userAgent), let field = try? HTTPField.checked("User-Agent", agent) { fields.append(field) }
        if ofStreams ? !own.contains(.acceptEncoding) : isMissing(.acceptEncoding) {
            fields.append(HTTPField(name: .acceptEncoding, value: ofStreams ? "identity" : coding))
        }
        if isMissing(.accept) { fields.append(HTTPField(name: .accept, value: "*/*")) }
        return fields
    }
}
