#if canImport(Darwin)
package import Foundation
import Security

// Only the casts that need Objective-C are here. scripts/apple-check has no Objective-C and checks the rest of
// the target against scripts/support/apple/seams/TarmacURLSession/Bridging.swift. Both files declare the same
// functions.

func foundationError(_ error: any Error) -> NSError { error as NSError }

/// Returns the data that resumes an interrupted download.
package func resumeData(of error: any Error) -> Data? { (error as NSError).userInfo[NSURLSessionDownloadTaskResumeData] as? Data }

/// Returns the fields whose name and value are text, in any order.
package func textFields(of response: HTTPURLResponse) -> [(name: String, value: String)] {
    response.allHeaderFields.compactMap { field in
        (field.key as? String).flatMap { name in (field.value as? String).map { (name: name, value: $0) } }
    }
}

func coreData(_ data: Data) -> CFData { data as CFData }

func coreArray(_ certificates: [SecCertificate]) -> CFArray { certificates as CFArray }

func plainData(_ data: CFData) -> Data { data as Data }

extension SessionAnswers {
    /// Has the app's own delegate answer a challenge, by its method for the task or that for the session, or the platform if it has neither.
    func ask(
        _ session: URLSession, _ task: URLSessionTask, _ challenge: URLAuthenticationChallenge,
        _ completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if app?.urlSession?(session, task: task, didReceive: challenge, completionHandler: completionHandler) != nil { return }
        if app?.urlSession?(session, didReceive: challenge, completionHandler: completionHandler) != nil { return }
        completionHandler(.performDefaultHandling, nil)
    }

    func hear(_ session: URLSession, _ task: URLSessionTask, _ metrics: URLSessionTaskMetrics) {
        app?.urlSession?(session, task: task, didFinishCollecting: metrics)
    }
}

/// Opens an archive of PKCS #12.
func importPKCS12(_ archive: Data, _ password: String, _ items: inout CFArray?) -> OSStatus {
    SecPKCS12Import(archive as CFData, [kSecImportExportPassphrase: password] as CFDictionary, &items)
}

/// Returns the identities of an archive, with the certificates that vouch for each.
func plainIdentities(_ items: CFArray?) -> [(identity: SecIdentity, chain: [SecCertificate])] {
    (items as? [[String: Any]] ?? []).compactMap { item in
        item[kSecImportItemIdentity as String].flatMap { secIdentity($0 as AnyObject) }
            .map { ($0, item[kSecImportItemCertChain as String] as? [SecCertificate] ?? []) }
    }
}

/// Looks an identity up in the keychain.
func findIdentity(labelled label: String, _ found: inout CFTypeRef?) -> OSStatus {
    SecItemCopyMatching([kSecClass: kSecClassIdentity, kSecAttrLabel: label, kSecReturnRef: true] as [CFString: Any] as CFDictionary, &found)
}

/// The identity in an object, or `nil` if it is another one.
func secIdentity(_ object: AnyObject) -> SecIdentity? {
    CFGetTypeID(object) == SecIdentityGetTypeID() ? (object as! SecIdentity) : nil
}

/// Returns the certificates of an array, or an empty array for anything else.
func plainCertificates(_ array: CFArray?) -> [SecCertificate] { array as? [SecCertificate] ?? [] }
#endif
