import TarmacJSON

extension Options {
    /// The tags that group calls for ``Client/cancelAll(tagged:)``, events, hooks and errors. They must not contain
    /// secrets. Layers add up. Default: none.
    public var tags: Set<CallTag> {
        get { self[Settings.tags, empty: []] }
        _modify { yield &self[Settings.tags, empty: []] }
    }

    /// The app's own values that are attached to the call and available in its events, hooks and errors. Layers merge
    /// per key. Default: none.
    public var userInfo: UserInfo {
        get { self[Settings.userInfo, empty: UserInfo()] }
        _modify { yield &self[Settings.userInfo, empty: UserInfo()] }
    }
}

extension Settings {
    static let tags = Setting("tags", \.tags) {
        $0.merge = { upper, lower in lower.union(upper) }
        $0.describe = { value in value.map(\.name).ordered().joined(separator: ", ") }
    }

    static let userInfo = Setting("userInfo", \.userInfo) {
        $0.merge = { upper, lower in upper.merged(over: lower) }
    }
}
