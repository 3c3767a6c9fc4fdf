/// A setting. Built-in ones are properties of ``Options``; other modules add theirs with a key of their own:
///
/// ```swift
/// enum RetryBudget: OptionKey {
///     static let name = "retryBudget"
///     static let defaultValue = 10
/// }
/// options[RetryBudget.self] = 3
/// ```
public protocol OptionKey: Sendable {
    associatedtype Value: Sendable
    /// The name `explain` prints.
    static var name: String { get }
    /// The value when no layer sets one.
    static var defaultValue: Value { get }
    /// What two layers make together. Default: the upper one replaces the lower.
    static func merge(_ upper: Value, over lower: Value) -> Value
    /// The value as `explain` prints it; no secrets. Default: `String(describing:)`.
    static func describe(_ value: Value) -> String
    /// Why a value cannot be used; `nil` when it can. Default: any can.
    static func fault(of value: Value) -> String?
}

extension OptionKey {
    public static func merge(_ upper: Value, over lower: Value) -> Value { upper }
    public static func describe(_ value: Value) -> String { String(describing: value) }
    public static func fault(of value: Value) -> String? { nil }
}

/// A setting of Tarmac itself, resolved into a field of its own so that the hot path looks nothing up.
protocol BuiltInOption: OptionKey {
    static var field: WritableKeyPath<OptionValues, Value> { get }
    /// Why a transport cannot honour a value; `nil` when it can. Default: any can.
    static func refusal(of value: Value, by capabilities: TransportCapabilities) -> String?
}

extension BuiltInOption {
    static func refusal(of value: Value, by capabilities: TransportCapabilities) -> String? { nil }
    static var defaultValue: Value { OptionValues.standard[keyPath: field] }
}
