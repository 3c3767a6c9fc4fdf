#if canImport(Darwin)
import Foundation
import HTTPTypes
public import Tarmac

extension TransportFactory {
    /// Downloads that go on while the app is suspended, or was ended by the system: a background session of `URLSession`.
    ///
    /// ```swift
    /// let ledger = TransferLedger.folder("\(support)/transfers")
    /// let background = Client(transport: .backgroundURLSession("shop.downloads", folder: "\(support)/background", ledger: ledger)) {
    ///     $0.transferLedger = ledger
    ///     ($0.timeout, $0.idleTimeout) = (.unlimited, .unlimited)
    /// }
    /// try await background.download(Video(id: 1), to: path)   // after a relaunch: again, and it takes what has come
    /// ```
    /// It carries downloads with a ledger, and refuses all else with `.unsupported`. The answer comes when the whole body has:
    /// progress is told at the end, and the time limits of a call would count the whole, so set them to `.unlimited`.
    ///
    /// - Parameters:
    ///   - identifier: names the session across launches; one client of the process may use it.
    ///   - folder: keeps what comes while no call waits for it; made when it is missing.
    ///   - ledger: that of ``Options/transferLedger``: what it has forgotten is ended.
    ///   - didFinishEvents: called when the system has told all that happened; pass on what
    ///     `application(_:handleEventsForBackgroundURLSession:completionHandler:)` gave the app.
    public static func backgroundURLSession(
        _ identifier: String, folder: String, ledger: TransferLedger, didFinishEvents: (@Sendable () -> Void)? = nil
    ) -> TransportFactory {
        let open = Locked<BackgroundTransport?>(nil)
        return TransportFactory(name: BackgroundTransport.name) { settings in
            guard settings == ConnectionSettings() else {
                throw TarmacError(.unsupported, "a background session has the system's connection settings and no others")
            }
            return try open.withLock { transport in
                if let transport { return transport }
                let made = try BackgroundTransport(identifier, BackgroundShelf(folder: folder), ledger, didFinishEvents)
                transport = made
                return made
            }
        }
    }
}

/// Calls into a background session; what they mean is decided by `BackgroundPolicy`, and kept by `BackgroundShelf`.
final class BackgroundTransport: NSObject, Transport {
    static let name = "URLSession in the background"

    fileprivate struct State {
        var session: URLSession?
        var waits: [BackgroundLabel: CheckedContinuation<Void, any Error>] = [:]
        var interruptions: [BackgroundLabel: Int] = [:]
    }
    let name: String = BackgroundTransport.name
    let capabilities: TransportCapabilities = [.decodesContent, .networkAccess, .outlivesProcess]
    fileprivate let policy = BackgroundPolicy()
    fileprivate let shelf: BackgroundShelf
    fileprivate let didFinishEvents: (@Sendable () -> Void)?
    fileprivate let state = Locked(State())

    init(_ identifier: String, _ shelf: BackgroundShelf, _ ledger: TransferLedger, _ didFinishEvents: (@Sendable () -> Void)?) {
        self.shelf = shelf
        self.didFinishEvents = didFinishEvents
        super.init()
        let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        state.withLock { $0.session = session }
        // LIFETIME: ends with the answers of ledger and session.
        Task { [self] in
            // The tasks first: a record is written before its task begins, so each task seen here that is wanted has one by now. The
            // other way round the task of a call that began in between would be one without a record, and cancelled.
            let tasks = await session.allTasks
            guard let records = try? await ledger.unfinished() else { return }
            let keys = Set(records.map(\.key))
            shelf.sweep(known: keys)
            for (task, fate) in zip(tasks, policy.fates(of: tasks.map(\.seen), known: keys)) { task.meet(fate) }
        }
    }

    func send(_ request: Request, exchange: Exchange) async throws -> Response {
        if let refusal = BackgroundPolicy.refusal(request, exchange.delivery) { throw refusal }
        guard let label = BackgroundLabel(request), let session = state.withLock({ $0.session }) else { throw TarmacError(.clientShutDown) }
        var urlRequest = try URLRequest(request)
        Platform.restrict(&urlRequest, to: exchange.networkAccess)
        exchange.onAbort { [self] reason in
            land(label, .failure(reason.error))
            session.getAllTasks { [self] tasks in tasks.filter { BackgroundLabel(description: $0.taskDescription) == label }.forEach { pause($0, label) } }
        }
        defer { exchange.report(.ended) }
        let tasks = await session.allTasks
        try await withCheckedThrowingContinuation { continuation in
            // The wait first: what ends meanwhile finds it. One that waits already is not left behind.
            let isTaken = state.withLock { state in
                if state.waits[label] != nil { return true }
                state.waits[label] = continuation
                return false
            }
            if isTaken { return continuation.resume(throwing: TarmacError(.transferInProgress, "another call waits for the same bytes")) }
            if let reason = exchange.abortReason { return land(label, .failure(reason.error)) }
            let hasCome = shelf.has(label)
            switch policy.start(label, tasks: tasks.map(\.seen), hasCome: hasCome, resumeData: hasCome ? nil : shelf.takeResumeData(label)) {
            case .take: land(label, .success(()))
            case .adopt(let number): tasks[number].resume()
            case .goOn(let data): begin(session.downloadTask(withResumeData: data), label)
            case .begin: begin(session.downloadTask(with: urlRequest), label)
            }
        }
        guard let response = shelf.response(label, to: request) else { throw TarmacError(.connectionLost, phase: .receiving, "what had come is gone") }
        exchange.report(.receivedHead)
        return response
    }

    /// What is under way goes on: it is the system's.
    func shutdown() async {
        let (session, waits) = state.withLock { state in
            defer { (state.session, state.waits) = (nil, [:]) }
            return (state.session, state.waits)
        }
        session?.finishTasksAndInvalidate()
        for wait in waits.values { wait.resume(throwing: TarmacError(.clientShutDown)) }
    }

    fileprivate func begin(_ task: URLSessionTask, _ label: BackgroundLabel) {
        task.taskDescription = label.description
        task.resume()
    }

    fileprivate func land(_ label: BackgroundLabel, _ result: Result<Void, any Error>) {
        let wait = state.withLock { state in
            state.interruptions[label] = nil
            return state.waits.removeValue(forKey: label)
        }
        wait?.resume(with: result)
    }

    private func pause(_ task: URLSessionTask, _ label: BackgroundLabel) {
        (task as? URLSessionDownloadTask)?.cancel { [shelf] data in if let data { shelf.keep(data, for: label) } }
    }
}

extension BackgroundTransport: URLSessionDownloadDelegate {
    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
        guard let label = BackgroundLabel(description: downloadTask.taskDescription), let response = downloadTask.response as? HTTPURLResponse else { return }
        do {
            let head = try ResponseHead(response)
            try shelf.put(label, status: head.status, headers: head.headers, isDecoded: head.isDecoded, body: location.path)
        } catch { land(label, .failure(error)) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let label = BackgroundLabel(description: task.taskDescription) else { return }
        guard let error else { return land(label, .success(())) }
        let failure = SessionFailure(error).error(phase: .receiving, hasHead: task.response != nil, cause: error)
        let data = (error as NSError).userInfo[NSURLSessionDownloadTaskResumeData] as? Data
        switch policy.end(failure, resumeData: data, interruptions: state.withLock { $0.interruptions[label] ?? 0 }) {
        case .goOn(let data):
            state.withLock { $0.interruptions[label, default: 0] += 1 }
            begin(session.downloadTask(withResumeData: data), label)
        case .fail(let data):
            if let data { shelf.keep(data, for: label) }
            land(label, .failure(failure))
        }
    }

    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) { didFinishEvents?() }
}

extension URLSessionTask {
    fileprivate var seen: BackgroundPolicy.SeenTask { .init(description: taskDescription, state: .init(state)) }

    fileprivate func meet(_ fate: BackgroundPolicy.Fate) {
        switch fate {
        case .leave: break
        case .resume: resume()
        case .cancel: cancel()
        }
    }
}

extension BackgroundPolicy.TaskState {
    fileprivate init(_ state: URLSessionTask.State) {
        switch state {
        case .running: self = .running
        case .suspended: self = .suspended
        case .canceling: self = .canceling
        case .completed: self = .completed
        @unknown default: self = .completed
        }
    }
}

extension ResponseHead {
    /// Of a download, which is always a GET.
    fileprivate init(_ response: HTTPURLResponse) throws(TarmacError) {
        let pairs = response.allHeaderFields.lazy.compactMap { field in
            (field.key as? String).flatMap { name in (field.value as? String).map { (name: name, value: $0) } }
        }
        try self.init(method: .get, status: response.statusCode, fields: MergedFields.fields(from: pairs), decodesContent: true)
    }
}
#endif
