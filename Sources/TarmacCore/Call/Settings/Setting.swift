/// A setting: a constant with a name, a default, and what follows from its values.
///
/// Kernel settings are properties of ``Options``. Another module adds its own with a constant and a property:
///
/// ```swift
/// enum Paging {
///     static let size = Setting("pageSize", default: 10) { $0.describe = { "\($0) rows" } }
/// }
/// extension Options {
///     public var pageSize: Int? {
///         get { self[Paging.size] }
///         set { self[Paging.size] = newValue }
///     }
/// }
/// ```
///
/// A setting can bring stages of the chain (``Rules/stages``). The client adds them only if a layer, or the kind of the
/// host, sets the setting.
// SAFETY: it is constant, and a key path of stored properties is the same for all threads.
public final class Setting<Value: Sendable>: AnySetting, @unchecked Sendable {
    /// The consequences of a setting's values. A rule that is not set has no effect.
    public struct Rules: Sendable {
        /// Combines the values of two layers. Default: the upper value replaces the lower one.
        public var merge: (@Sendable (_ upper: Value, _ lower: Value) -> Value)?
        /// The text that ``Client/explain(_:listing:configure:)`` shows for a value. It must not contain a secret.
        /// Default: `String(describing:)`.
        public var describe: @Sendable (Value) -> String = { String(describing: $0) }
        /// The reason a value is invalid, or `nil` if it is valid.
        public var fault: (@Sendable (Value) -> String?)?
        /// The reason a transport cannot honor a value, or `nil` if it can.
        public var refusal: (@Sendable (Value, TransportCapabilities) -> String?)?
        /// Makes the stages of the chain for a value.
        public var stages: (@Sendable (Value, StageScope) -> [SeatedStage])?
        /// Makes the observer that a value brings, in addition to ``Options/observers``.
        public var observer: (@Sendable (Value, StageScope) -> (any EventObserver)?)?
        /// How the setting affects calls that share one response. Default: ``ResponseSharing/unaffected``.
        public var sharing = ResponseSharing.unaffected
        /// The part of a value that two calls must have in common to share a response. It is used only if ``sharing`` is
        /// ``ResponseSharing/compared``. Default: the value's description.
        public var identity: (@Sendable (Value) -> AnyHashable)?
        /// The names of parameters and header fields that a value makes secret.
        public var secretNames: (@Sendable (Value) -> Set<String>)?

        /// The source of the credentials, of a setting that defines how calls authenticate.
        package var credentials: (@Sendable (Value, StageScope) -> (any CredentialSource)?)?
        /// Makes the companions of calls. All settings of one module bring the same companion.
        package var companions: (any CompanionProvider)?
        /// The hosts to use where an environment does not have the chosen one.
        package var substitutes: (@Sendable (HostKind, Value) -> [HostKind])?
        /// The protection of messages on the wire that a value gives.
        package var protection: (@Sendable (Value) -> MessageProtection)?
        /// Whether the bytes of a body on the wire differ from those that the stages above see. Default: whether bodies
        /// are encrypted.
        package var changes: (@Sendable (Body, Value) -> Bool)?
        /// The effect on the request of a call, without a secret, for `explain`.
        package var note: (@Sendable (Value, Request, CallContext) -> String?)?

        /// Makes one stage of the chain for a value; `nil` if the value needs none.
        public mutating func stage(at seat: Seat, _ make: @escaping @Sendable (Value, StageScope) -> (any Interceptor)?) {
            stages = { value, scope in make(value, scope).map { [SeatedStage(seat, $0)] } ?? [] }
        }
    }

    /// The value if no layer sets one.
    public let defaultValue: Value
    let rules: Rules
    /// The place of a kernel setting's resolved value, so that the hot path needs no lookup.
    let field: WritableKeyPath<OptionValues, Value>?

    /// Creates a setting. Keep it in a constant: two settings of one name are different.
    public init(_ name: String, default value: Value, _ rules: (inout Rules) -> Void = { _ in }) {
        var made = Rules()
        rules(&made)
        (defaultValue, field, self.rules) = (value, nil, made)
        super.init(name: name)
    }

    /// Creates a kernel setting.
    init(_ name: String, _ field: WritableKeyPath<OptionValues, Value>, _ rules: (inout Rules) -> Void = { _ in }) {
        var made = Rules()
        rules(&made)
        (defaultValue, self.field, self.rules) = (OptionValues.standard[keyPath: field], field, made)
        super.init(name: name)
    }

    /// Returns the value of an entry under this setting.
    @inline(__always)
    func value(in entry: any SettingEntry) -> Value { unsafeDowncast(entry, to: SettingValue<Value>.self).value }

    override func shown(in options: ResolvedOptions, _ request: Request?, _ context: CallContext) -> ShownSetting {
        let said = options.layers.reversed().compactMap { layer in
            layer.options[self].map { (origin: layer.origin, value: rules.describe($0)) }
        }
        let value = options.values.resolved(self), note = request.flatMap { rules.note?(value, $0, context) }
        return ShownSetting(
            name: name, value: [rules.describe(value), note].compactMap(\.self).joined(separator: ", "), origin: said.first?.origin ?? .default,
            hidden: said.isEmpty ? [] : said.dropFirst() + [(origin: Origin.default, value: rules.describe(defaultValue))])
    }
}

/// A setting of any type, to be listed.
// SAFETY: it is constant, and so are its subclasses.
public class AnySetting: @unchecked Sendable {
    /// The name that ``Client/explain(_:listing:configure:)`` and errors show.
    public let name: String

    init(name: String) { self.name = name }

    /// Returns the resolved value in a printable form, with the layers that set it.
    func shown(in options: ResolvedOptions, _ request: Request?, _ context: CallContext) -> ShownSetting {
        ShownSetting(name: name, value: "", origin: .default, hidden: [])
    }
}

/// A resolved setting in a printable form.
struct ShownSetting {
    let name: String
    let value: String
    let origin: Origin
    let hidden: [(origin: Origin, value: String)]
}

/// The settings of the kernel and of its rooms.
package enum Settings {}
