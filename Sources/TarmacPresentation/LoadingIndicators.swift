import TarmacCore

/// The current indications of a client, counted by presenter and host.
@MainActor
final class LoadingIndicators {
    fileprivate struct Key: Hashable {
        let presenter: ObjectIdentifier
        let host: ObjectIdentifier?
    }

    /// An indication and the number of its calls.
    final class Indicator {
        fileprivate let key: Key
        fileprivate let presenter: any Presenter
        fileprivate let loading: Loading
        fileprivate var count = 0

        fileprivate init(_ key: Key, _ presenter: any Presenter, _ loading: Loading) {
            self.key = key
            self.presenter = presenter
            self.loading = loading
        }
    }

    private var shown: [Key: Indicator] = [:]
    private var nextID = 1

    nonisolated init() {}

    /// The number of indications.
    var count: Int { shown.count }

    /// Adds a call. The first one begins the indication.
    func begin(_ presenter: any Presenter, on host: (any ObjectReference)?) -> Indicator {
        let key = Key(presenter: presenter.identity, host: host?.id)
        // A new host or presenter may have the identity of one that is gone. It gets its own indication.
        if let indicator = shown[key], !indicator.presenter.isGone, host == nil || indicator.loading.host != nil {
            indicator.count += 1
            return indicator
        }
        let indicator = Indicator(key, presenter, Loading(id: nextID, reference: host))
        nextID += 1
        indicator.count = 1
        shown[key] = indicator
        presenter.loadingBegan(indicator.loading)
        return indicator
    }

    /// Removes a call. The last one ends the indication.
    func end(_ indicator: Indicator) {
        indicator.count -= 1
        guard indicator.count == 0 else { return }
        if shown[indicator.key] === indicator { shown[indicator.key] = nil }
        indicator.presenter.loadingEnded(indicator.loading)
    }
}
