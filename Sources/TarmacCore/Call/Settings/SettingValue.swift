/// The value of a setting, in a layer or resolved.
protocol SettingEntry: AnyObject, Sendable {
    var name: String { get }
    var description: String { get }
    var fault: String? { get }
    var sharing: ResponseSharing { get }
    var setsCredentials: Bool { get }
    /// Whether only interceptors of the app can read the setting: it is not a kernel setting, brings no stage and
    /// sets no credentials.
    var isReadByApps: Bool { get }
    /// Returns the name and the part that shared responses must have in common, or `nil` if the resolved value is the
    /// default.
    func sharedIdentity(in values: OptionValues) -> AnyHashable?
    func refusal(by capabilities: TransportCapabilities) -> String?
    func apply(to values: inout OptionValues)
    /// Whether another layer's value for the same setting differs. Values that cannot be compared do not differ.
    func differs(from other: any SettingEntry) -> Bool
    /// Returns the combined value of two layers that set the same setting.
    func merged(over lower: any SettingEntry) -> any SettingEntry

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

final class SettingValue<Value: Sendable>: SettingEntry {
    let setting: Setting<Value>
    let value: Value

    init(_ setting: Setting<Value>, _ value: Value) { (self.setting, self.value) = (setting, value) }

    var name: String { setting.name }
    var description: String { setting.rules.describe(value) }
    var fault: String? { setting.rules.fault?(value) }
    var sharing: ResponseSharing { setting.rules.sharing }
    var setsCredentials: Bool { setting.rules.credentials != nil }
    var isReadByApps: Bool { setting.rules.stages == nil && setting.field == nil && !setsCredentials }

    func sharedIdentity(in values: OptionValues) -> AnyHashable? {
        let own = identity(of: values.resolved(setting))
        return own == identity(of: setting.defaultValue) ? nil : AnyHashable([AnyHashable(name), own])
    }

    private func identity(of value: Value) -> AnyHashable { setting.rules.identity?(value) ?? AnyHashable(setting.rules.describe(value)) }

    func refusal(by capabilities: TransportCapabilities) -> String? { setting.rules.refusal?(value, capabilities) }

    func differs(from other: any SettingEntry) -> Bool {
        guard let one = value as? any Equatable, let other = (other as? SettingValue<Value>)?.value else { return false }
        func differs<Some: Equatable>(_ one: Some) -> Bool { (other as? Some) != one }
        // Two instances of a class are different, also if they are made alike.
        return !(type(of: one) is AnyClass) && differs(one)
    }

    func merged(over lower: any SettingEntry) -> any SettingEntry {
        guard let lower = lower as? SettingValue<Value> else { return self }
        return merged(over: lower.value)
    }

    private func merged(over lower: Value) -> SettingValue { setting.rules.merge.map { SettingValue(setting, $0(value, lower)) } ?? self }

    func apply(to values: inout OptionValues) {
        if let field = setting.field {
            values[keyPath: field] = setting.rules.merge.map { $0(value, values[keyPath: field]) } ?? value
        } else {
            values.rooms[ObjectIdentifier(setting)] = merged(over: values.value(of: setting))
        }
    }

    func stages(in scope: StageScope) -> [SeatedStage] { setting.rules.stages?(value, scope) ?? [] }
    func observer(in scope: StageScope) -> (any EventObserver)? { setting.rules.observer?(value, scope) }
    var secretNames: Set<String> { setting.rules.secretNames?(value) ?? [] }
    func credentialSource(in scope: StageScope) -> (any CredentialSource)? { setting.rules.credentials?(value, scope) }
    var companionProvider: (any CompanionProvider)? { setting.rules.companions }
    func substitutes(for kind: HostKind) -> [HostKind] { setting.rules.substitutes?(kind, value) ?? [] }
    var protection: MessageProtection { setting.rules.protection?(value) ?? [] }
    func changes(_ body: Body) -> Bool { setting.rules.changes?(body, value) ?? protection.contains(.encryption) }
}
