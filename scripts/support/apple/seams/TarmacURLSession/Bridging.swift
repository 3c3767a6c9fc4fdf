package import Foundation
import Security

func foundationError(_ error: any Error) -> NSError { fatalError() }
package func resumeData(of error: any Error) -> Data? { fatalError() }
package func textFields(of response: HTTPURLResponse) -> [(name: String, value: String)] { fatalError() }
func coreData(_ data: Data) -> CFData { fatalError() }
func coreArray(_ certificates: [SecCertificate]) -> CFArray { fatalError() }
func plainData(_ data: CFData) -> Data { fatalError() }
extension SessionAnswers {
    func ask(
        _ session: URLSession, _ task: URLSessionTask, _ challenge: URLAuthenticationChallenge,
        _ completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) { fatalError() }
    func hear(_ session: URLSession, _ task: URLSessionTask, _ metrics: URLSessionTaskMetrics) { fatalError() }
}
func importPKCS12(_ archive: Data, _ password: String, _ items: inout CFArray?) -> OSStatus { fatalError() }
func plainIdentities(_ items: CFArray?) -> [(identity: SecIdentity, chain: [SecCertificate])] { fatalError() }
func findIdentity(labelled label: String, _ found: inout CFTypeRef?) -> OSStatus { fatalError() }
func secIdentity(_ object: AnyObject) -> SecIdentity? { fatalError() }
func plainCertificates(_ array: CFArray?) -> [SecCertificate] { fatalError() }
