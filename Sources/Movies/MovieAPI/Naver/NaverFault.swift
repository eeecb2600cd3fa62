import FoundationEssentials
import HTTPSemantics
import HTTPTypes
import Hummingbird
import NIOCore

/// What is wrong with a request for films in Naver's format, as Naver says it.
struct NaverFault: Error, Hashable, Sendable {
    let code: String
    let message: String
    let status: Int

    static let query = NaverFault(
        code: "SE01", message: "Incorrect query request (잘못된 쿼리요청입니다.)", status: 400)
    static let display = NaverFault(
        code: "SE02", message: "Invalid display value (부적절한 display 값입니다.)", status: 400)
    static let start = NaverFault(code: "SE03", message: "Invalid start value (부적절한 start 값입니다.)", status: 400)
    static let encoding = NaverFault(
        code: "SE06", message: "Malformed encoding (잘못된 형식의 인코딩입니다.)", status: 400)
    static let system = NaverFault(code: "SE99", message: "System Error (시스템 에러)", status: 500)

    private struct Body: Encodable {
        let errorMessage, errorCode: String
    }

    /// - Parameter retryAfterSeconds: When to try again; nil when nobody knows.
    func response(retryAfterSeconds: Int? = nil) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        var headers: HTTPFields = [
            .contentType: NaverController.mediaType, .cacheControl: "no-store", .contentTypeOptions: "nosniff",
        ]
        headers.letScriptsRead()
        headers[.retryAfter] = retryAfterSeconds.map(String.init)
        let body = try encoder.encode(Body(errorMessage: self.message, errorCode: self.code))
        return Response(
            status: .init(code: self.status), headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
}
