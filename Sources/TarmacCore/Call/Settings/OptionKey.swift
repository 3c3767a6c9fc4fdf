/// A setting.
///
/// Kernel settings are properties of ``Options``. Another module adds its own with a key and a property:
///
/// ```swift
/// enum PageSize: OptionKey {
///     static let name = "pageSize"
///     static let defaultValue = 10
/// }
/// extension Options {
///     public var pageSize: Int? {
///         get { self[PageSize.self] }
///         set { self[PageSize.self] = newValue }
///     }
/// }
/// ```
///
/// A setting can bring a stage of the chain: state its ``seat`` and make the stage in ``stage(_:in:)``. The
/// client adds the stage only if a layer, or the kind of the host, sets the key.
public protocol OptionKey: Sendable {
    associatedtype Value: Sendable
    /// The name that ``Client/explain(_:listing:configure:)`` and errors show.
    static var name: String { get }
    /// The value if no layer sets one.
    static var defaultValue: Value { get }
    /// Combines the values of two layers. Default: the upper value replaces the lower one.
    static func merge(_ upper: Value, over lower: Value) -> Value
    /// The text that ``Client/explain(_:listing:configure:)`` shows for a value. It must not contain a secret.
    /// Default: `String(describing:)`.
    static func describe(_ value: Value) -> String
    /// The reason a value is invalid, or `nil` if it is valid. Default: `nil`.
    static func fault(of value: Value) -> String?
    /// The reason a transport cannot honor a value, or `nil` if it can. Default: `nil`.
    static func refusal(of value: Value, by capabilities: TransportCapabilities) -> String?

    /// The place of the setting's stage in the chain, or `nil` if the setting has none. Default: `nil`.
    static var seat: Seat? { get }
    /// Makes the stage of the chain for a value, or returns `nil` if the value needs none. Default: `nil`.
    static func stage(_ value: Value, in scope: StageScope) -> (any Interceptor)?
    /// Makes every stage for a value, for settings that need several. Default: the stage of ``stage(_:in:)`` at
    /// ``seat``.
    static func stages(_ value: Value, in scope: StageScope) -> [SeatedStage]
    /// Makes the observer that a value brings, in addition to ``Options/observers``. Default: `nil`.
    static func observer(_ value: Value, in scope: StageScope) -> (any EventObserver)?

    /// How the setting affects calls that share one response. Default: ``ResponseSharing/unaffected``.
    static var sharing: ResponseSharing { get }
    /// The part of a value that two calls must have in common to share a response. It is used only if
    /// ``sharing`` is ``ResponseSharing/compared``. Default: the value's description.
    static func sharingIdentity(of value: Value) -> AnyHashable

    /// The names of parameters and header fields that a value makes secret. Default: none.
    static func secretNames(in value: Value) -> Set<String>
}

extension OptionKey {
    public static func merge(_ upper: Value, over lower: Value) -> Value { upper }
    public static func describe(_ value: Value) -> String { String(describing: value) }
    public static func fault(of value: Value) -> String? { nil }
    public static func refusal(of value: Value, by capabilities: TransportCapabilities) -> String? { nil }
    public static var seat: Seat? { nil }
    public static func stage(_ value: Value, in scope: StageScope) -> (any Interceptor)? { nil }
    public static func stages(_ value: Value, in scope: StageScope) -> [SeatedStage] {
        guard let seat, let stage = stage(value, in: scope) else { return [] }
        return [SeatedStage(seat, stage)]
    }
    public static func observer(_ value: Value, in scope: StageScope) -> (any EventObserver)? { nil }
    public static var sharing: ResponseSharing { .unaffected }
    public static func sharingIdentity(of value: Value) -> AnyHashable { describe(value) }
    public static func secretNames(in value: Value) -> Set<String> { [] }
}

/// A setting of the kernel. Its resolved value is a stored property, so that the hot path needs no lookup.
protocol KernelOption: OptionKey {
    static var field: WritableKeyPath<OptionValues, Value> { get }
}

extension KernelOption {
    static var defaultValue: Value { OptionValues.standard[keyPath: field] }
}
