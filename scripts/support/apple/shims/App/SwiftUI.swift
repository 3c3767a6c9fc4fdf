@_exported import Combine
@_exported import CoreGraphics
@_exported import Foundation

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}
extension Never: View { public var body: Never { fatalError() } }
public protocol _Leaf: View where Body == Never {}
extension _Leaf { public var body: Never { fatalError() } }

@resultBuilder public struct ViewBuilder {
  public static func buildBlock() -> EmptyView { fatalError() }
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<(repeat each Content)> { fatalError() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  public static func buildEither<First: View, Second: View>(first: First) -> _ConditionalContent<First, Second> { fatalError() }
  public static func buildEither<First: View, Second: View>(second: Second) -> _ConditionalContent<First, Second> { fatalError() }
  public static func buildLimitedAvailability(_ content: any View) -> EmptyView { fatalError() }
}
extension Optional: View where Wrapped: View { public var body: Never { fatalError() } }
public struct EmptyView: _Leaf { public init() {} }
public struct TupleView<T>: _Leaf {}
public struct _ConditionalContent<First, Second>: _Leaf {}
public struct Group<Content: View>: _Leaf { public init(@ViewBuilder content: () -> Content) {} }

@MainActor @preconcurrency public protocol Scene {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
}
extension Never: Scene {}
@resultBuilder public struct SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}
@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
  @MainActor @preconcurrency init()
}
extension App { @MainActor @preconcurrency public static func main() {} }
public struct WindowGroup<Content: View>: Scene {
  public init(@ViewBuilder content: () -> Content) {}
  public init(_ title: String, @ViewBuilder content: () -> Content) {}
  public var body: Never { fatalError() }
}

@propertyWrapper public struct State<Value> {
  public init(wrappedValue value: Value) {}
  public init(initialValue value: Value) {}
  public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
  public var projectedValue: Binding<Value> { fatalError() }
}
@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {}
  public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
  public var projectedValue: Binding<Value> { self }
  public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> { fatalError() }
}
@available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
@MainActor @preconcurrency @propertyWrapper public struct StateObject<ObjectType: ObservableObject> {
  nonisolated public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) {}
  @MainActor @preconcurrency public var wrappedValue: ObjectType { fatalError() }
  @MainActor @preconcurrency public var projectedValue: ObservedObject<ObjectType>.Wrapper { fatalError() }
}
@MainActor @preconcurrency @propertyWrapper public struct ObservedObject<ObjectType: ObservableObject> {
  @dynamicMemberLookup public struct Wrapper {
    public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>) -> Binding<Subject> { fatalError() }
  }
  public init(wrappedValue: ObjectType) {}
  @MainActor @preconcurrency public var wrappedValue: ObjectType { get { fatalError() } set {} }
  @MainActor @preconcurrency public var projectedValue: Wrapper { fatalError() }
}

public struct Text: _Leaf, Equatable {
  nonisolated public init(verbatim content: String) {}
  nonisolated public init(_ key: LocalizedStringKey) {}
  @_disfavoredOverload nonisolated public init<S: StringProtocol>(_ content: S) {}
  nonisolated public func bold() -> Text { self }
}
public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
  public init(_ value: String) {}
  public init(stringLiteral value: String) {}
}
public struct Image: _Leaf { public init(systemName: String) {} }
public struct Spacer: _Leaf { public init() {} }
public struct Divider: _Leaf { public init() {} }
public struct Label<Title: View, Icon: View>: _Leaf {
  public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {}
}
extension Label where Title == Text, Icon == Image {
  public init(_ title: LocalizedStringKey, systemImage name: String) {}
  @_disfavoredOverload public init<S: StringProtocol>(_ title: S, systemImage name: String) {}
}
public struct ButtonRole: Equatable, Sendable {
  public static let destructive = ButtonRole()
  public static let cancel = ButtonRole()
}
public struct Button<Label: View>: _Leaf {
  public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
  public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
}
extension Button where Label == Text {
  public init(_ title: LocalizedStringKey, action: @escaping @MainActor () -> Void) {}
  public init(_ title: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void) {}
  @_disfavoredOverload public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {}
}
public struct ProgressView<Label: View, Value: View>: _Leaf {}
extension ProgressView where Value == EmptyView {
  public init() where Label == EmptyView {}
  public init(_ title: LocalizedStringKey) where Label == Text {}
  public init<V: BinaryFloatingPoint>(value: V?, total: V = 1.0) where Label == EmptyView {}
}
public struct HorizontalAlignment: Equatable, Sendable { public static let leading = Self(), center = Self(), trailing = Self() }
public struct VerticalAlignment: Equatable, Sendable {
  public static let top = Self(), center = Self(), bottom = Self(), firstTextBaseline = Self()
}
public struct VStack<Content: View>: _Leaf {
  public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {}
}
public struct HStack<Content: View>: _Leaf {
  public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {}
}
@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
public struct NavigationStack<Root: View>: _Leaf { public init(@ViewBuilder root: () -> Root) {} }
public struct NavigationLink<Label: View, Destination: View>: _Leaf {
  public init(@ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label) {}
}
@available(iOS 16.0, macOS 13.0, watchOS 9.0, *)
@available(tvOS, unavailable)
public struct ShareLink<Label: View>: _Leaf {}
@available(iOS 16.0, macOS 13.0, watchOS 9.0, *)
@available(tvOS, unavailable)
public struct DefaultShareLinkLabel: _Leaf {}
@available(iOS 16.0, macOS 13.0, watchOS 9.0, *)
@available(tvOS, unavailable)
extension ShareLink where Label == DefaultShareLinkLabel { public init(item: String) {} }
public struct List<SelectionValue, Content: View>: _Leaf {}
extension List where SelectionValue == Never {
  public init(@ViewBuilder content: () -> Content) {}
  public init<Data: RandomAccessCollection, Row: View>(_ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> Row)
  where Content == ForEach<Data, Data.Element.ID, Row>, Data.Element: Identifiable {}
  public init<Data: RandomAccessCollection, ID: Hashable, Row: View>(
    _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
  ) where Content == ForEach<Data, ID, Row> {}
}
public struct Section<Parent: View, Content: View, Footer: View>: _Leaf {}
extension Section where Parent == EmptyView, Footer == EmptyView { public init(@ViewBuilder content: () -> Content) {} }
extension Section where Parent == Text, Footer == EmptyView {
  public init(_ title: LocalizedStringKey, @ViewBuilder content: () -> Content) {}
  @_disfavoredOverload public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {}
}
extension Section where Footer == EmptyView { public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {} }
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: _Leaf {
  public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}
extension ForEach where ID == Data.Element.ID, Data.Element: Identifiable {
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}

public protocol ShapeStyle: Sendable {}
public struct Color: _Leaf, ShapeStyle, Hashable { public static let red = Color(), green = Color(), orange = Color(), blue = Color(), gray = Color() }
extension ShapeStyle where Self == Color {
  public static var red: Color { .red }
  public static var green: Color { .green }
  public static var orange: Color { .orange }
}
public struct HierarchicalShapeStyle: ShapeStyle {}
extension ShapeStyle where Self == HierarchicalShapeStyle {
  public static var primary: HierarchicalShapeStyle { .init() }
  public static var secondary: HierarchicalShapeStyle { .init() }
  public static var tertiary: HierarchicalShapeStyle { .init() }
}
public struct Font: Hashable, Sendable {
  public static let title = Font(), title2 = Font(), headline = Font(), subheadline = Font(), body = Font(), callout = Font(), footnote = Font(), caption = Font()
  public func monospaced() -> Font { self }
  public func monospacedDigit() -> Font { self }
}
public struct ToolbarItemPlacement: Sendable {
  public static let automatic = Self(), primaryAction = Self(), cancellationAction = Self(), confirmationAction = Self(), status = Self()
}
@MainActor @preconcurrency public protocol ToolbarContent {}
public struct ToolbarItem<ID, Content: View>: ToolbarContent {}
extension ToolbarItem where ID == () {
  public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {}
}
@resultBuilder public struct ToolbarContentBuilder {
  public static func buildBlock<Content: ToolbarContent>(_ content: Content) -> some ToolbarContent { content }
}

extension View {
  public func navigationTitle(_ title: LocalizedStringKey) -> some View { self }
  @_disfavoredOverload public func navigationTitle<S: StringProtocol>(_ title: S) -> some View { self }
  @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
  public func task(
    priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
  ) -> some View { self }
  @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
  public func task<ID: Equatable>(
    id: ID, priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
  ) -> some View { self }
  @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
  public func refreshable(action: @escaping @Sendable () async -> Void) -> some View { self }
  @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
  public func searchable(text: Binding<String>) -> some View { self }
  public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View { self }
  public func font(_ font: Font?) -> some View { self }
  public func padding(_ length: CGFloat? = nil) -> some View { self }
  public func disabled(_ disabled: Bool) -> some View { self }
  public func lineLimit(_ number: Int?) -> some View { self }
  public func toolbar<Content: ToolbarContent>(@ToolbarContentBuilder content: () -> Content) -> some View { self }
  @_disfavoredOverload public func toolbar<Content: View>(@ViewBuilder content: () -> Content) -> some View { self }
  public func onAppear(perform action: (() -> Void)? = nil) -> some View { self }
}
