package import Foundation
import Security

func foundationError(_ error: any Error) -> NSError { fatalError() }
package func resumeData(of error: any Error) -> Data? { fatalError() }
package func textFields(of response: HTTPURLResponse) -> [(name: String, value: String)] { fatalError() }
func coreData(_ data: Data) -> CFData { fatalError() }
func coreArray(_ certificates: [SecCertificate]) -> CFArray { fatalError() }
func plainData(_ data: CFData) -> Data { fatalError() }
func plainCertificates(_ array: CFArray?) -> [SecCertificate] { fatalError() }
