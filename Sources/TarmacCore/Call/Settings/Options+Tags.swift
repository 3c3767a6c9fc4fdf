import TarmacJSON

extension Options {
    /// The tags that group calls for ``Client/cancelAll(tagged:)``, events, hooks and errors. They must not contain
    /// secrets. Layers add up. Default: none.
    public var tags: Set<CallTag> {
        get { self[Tags.self, empty: []] }
        _modify { yield &self[Tags.self, empty: []] }
    }

    /// The app's own values that are attached to the call and available in its events, hooks and errors. Layers merge
    /// per key. Default: none.
    public var userInfo: UserInfo {
        get { self[UserInfoOption.self, empty: UserInfo()] }
        _modify { yield &self[UserInfoOption.self, empty: UserInfo()] }
    }
}

enum Tags: KernelOption {
    static let name = "tags"
    typealias Value = Set<CallTag>
    static var field: WritableKeyPath<OptionValues, Set<CallTag>> { \.tags }
    static func merge(_ upper: Set<CallTag>, over lower: Set<CallTag>) -> Set<CallTag> { lower.union(upper) }
    static func describe(_ value: Set<CallTag>) -> String { value.map(\.name).ordered().joined(separator: ", ") }
}

enum UserInfoOption: KernelOption {
    static let name = "userInfo"
    typealias Value = UserInfo
    static var field: WritableKeyPath<OptionValues, UserInfo> { \.userInfo }
    static func merge(_ upper: UserInfo, over lower: UserInfo) -> UserInfo { upper.merged(over: lower) }
}
