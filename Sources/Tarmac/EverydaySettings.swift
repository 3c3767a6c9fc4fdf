import TarmacAuth
import TarmacCache
public import TarmacCore
import TarmacPresentation
import TarmacResilience
import TarmacSupport
import TarmacTransfer

extension Client {
    /// Every setting of a call, and the layer that each comes from: the settings of all everyday rooms. Nothing is sent.
    public func explain<E: Endpoint>(_ endpoint: E, configure: (inout Options) -> Void = { _ in }) -> Explanation {
        explain(endpoint, listing: Settings.everyday, configure: configure)
    }
}

extension Settings {
    /// The settings of the everyday rooms, in the order in which `explain` prints them.
    static let everyday: [AnySetting] = [
        Settings.retry, Settings.failover, Settings.waitsForConnectivity, Settings.coalesces,
        Settings.cache, Settings.cacheStore, Settings.cacheSensitiveData, Settings.cacheAppVersion,
        Settings.requestCompression, Settings.download, Settings.resume, Settings.expectedDigest, Settings.digesters, Settings.transferLedger,
        Settings.transferKey,
        Settings.presenter, Settings.presentationHost, Settings.showsLoading, Settings.presentsErrors, Settings.hooks,
        Settings.authenticator,
    ]
}
