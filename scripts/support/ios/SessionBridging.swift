package import Foundation
import Security

@_silgen_name("seam_foundationError") func foundationError(_ error: any Error) -> NSError
@_silgen_name("seam_resumeData") func seam_resumeData(of error: any Error) -> Data?
@_silgen_name("seam_textFields") func seam_textFields(of response: HTTPURLResponse) -> [(name: String, value: String)]
@_silgen_name("seam_coreData") func coreData(_ data: Data) -> CFData
@_silgen_name("seam_coreArray") func coreArray(_ certificates: [SecCertificate]) -> CFArray
@_silgen_name("seam_plainData2") func plainData(_ data: CFData) -> Data
@_silgen_name("seam_plainCertificates") func plainCertificates(_ array: CFArray?) -> [SecCertificate]

package func resumeData(of error: any Error) -> Data? { seam_resumeData(of: error) }
package func textFields(of response: HTTPURLResponse) -> [(name: String, value: String)] { seam_textFields(of: response) }
