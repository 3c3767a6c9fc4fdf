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
        explain(endpoint, listing: EverydaySettings.all, configure: configure)
    }
}

/// The settings of the everyday rooms, in the order in which `explain` prints them.
enum EverydaySettings {
    static let all: [any OptionKey.Type] = [
        RetryOption.self, FailoverOption.self, WaitsForConnectivity.self, Coalesces.self,
        CacheOption.self, CacheStoreOption.self, CacheSensitiveDataOption.self, CacheAppVersionOption.self,
        RequestCompressionOption.self, DownloadOption.self, ResumeOption.self, ExpectedDigestOption.self, DigestersOption.self, TransferLedgerOption.self,
        TransferKeyOption.self,
        PresenterOption.self, PresentationHostOption.self, ShowsLoading.self, PresentsErrors.self, Hooks.self,
        AuthenticatorOption.self,
    ]
}
