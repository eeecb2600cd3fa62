import HTTPSemantics
import MovieDomain

/// An error in The Movie Database's format.
struct TMDBFault: Error, Hashable, Sendable {
    /// `nil` for an error that consists of ``errors``.
    let code: TMDBStatusCode?
    let status: Int
    /// Replaces the code's message.
    var message: String?
    /// Messages about parameters.
    var errors: [String] = []
    /// `Retry-After` in seconds; `nil` without it.
    var retryAfterSeconds: Int?
    /// Further members with text values.
    var extra: [String: String] = [:]
    /// The body sent by The Movie Database; `nil` for an error of this server.
    private(set) var body: [UInt8]?

    init(_ code: TMDBStatusCode, message: String? = nil, retryAfterSeconds: Int? = nil) {
        self.code = code
        self.status = code.status
        self.message = message
        self.retryAfterSeconds = retryAfterSeconds
    }

    private init(status: Int, errors: [String]) {
        self.code = nil
        self.status = status
        self.errors = errors
    }

    /// 422 without a code, for example for a search without a text.
    static func missing(_ parameter: String) -> TMDBFault {
        TMDBFault(status: 422, errors: ["\(parameter) must be provided"])
    }

    /// Maximum size of documents that are checked for an error, in bytes.
    private static let byteLimit = 4096

    /// Reads an error from a document. The Movie Database sends each code with one status.
    ///
    /// - Returns: `nil` for any other document.
    init?(document: [UInt8]) {
        guard document.count <= Self.byteLimit, let json = try? JSONReader.document(document) else { return nil }
        if let code = json["status_code"]?.integer.flatMap({ TMDBStatusCode(rawValue: $0) }), code.status >= 400 {
            self.init(code)
        } else if json["errors"] != nil, json["id"] == nil {
            self.init(status: 422, errors: [])
        } else {
            return nil
        }
        self.body = document
    }

    var bytes: [UInt8] { self.body ?? self.json.bytes }

    var json: OrderedJSON {
        guard let code = self.code else { return ["errors": .strings(self.errors)] }
        let body: OrderedJSON = [
            "success": false, "status_code": .integer(code.rawValue),
            "status_message": .string(self.message ?? code.message),
        ]
        let others = self.extra.sorted { $0.key < $1.key }.map { OrderedJSON.Member($0.key, .string($0.value)) }
        return body.adding(self.errors.isEmpty ? nil : ["errors": .strings(self.errors)]).adding(.object(others))
    }
}

extension TMDBFault {
    /// The Movie Database's error for a failure of the domain or the request.
    ///
    /// - Returns: `nil` for failures of this service.
    init?(_ error: any Error) {
        switch error {
        case let fault as TMDBFault: self = fault
        case let failure as SourceFailure: self.init(failure)
        case is StorageFailure: self.init(.serviceOffline)
        case is UnknownMovie, is UnknownPerson, is UnknownCollection: self.init(.notFound)
        case let failure as AccountFailure: self.init(failure)
        case let failure as AddFavourite.Failure: self.init(failure)
        case let failure as AuthorizationFailure: self.init(failure)
        case is SessionSourceDisabled: self.init(.noPermission)
        // A failed precondition is an error of HTTP.
        case let problem as Problem where problem.kind != .preconditionFailed: self.init(problem)
        default: return nil
        }
    }

    private init(_ failure: SourceFailure) {
        switch failure {
        case .busy(_, let seconds): self.init(.overLimit, retryAfterSeconds: seconds)
        case .tooSlow: self.init(.backendTimeout)
        case .off, .keyRefused: self.init(.serviceOffline)
        case .unavailable, .badAnswer: self.init(.backendUnreachable)
        }
    }

    private init(_ failure: AccountFailure) {
        switch failure {
        case .noAccount, .sessionExpired: self.init(.noPermission)
        case .unknownMovie: self.init(.notFound)
        }
    }

    private init(_ failure: AddFavourite.Failure) {
        switch failure {
        case .unknownMovie: self.init(.notFound)
        case .tooMany(let limit):
            self.init(.validationFailed)
            self.errors = ["the list has reached its limit of \(limit) films"]
        }
    }

    private init(_ failure: AuthorizationFailure) {
        switch failure {
        case .notApproved: self.init(.sessionDenied)
        case .denied: self.init(.deviceDenied)
        case .unknownToken: self.init(.invalidRequestToken)
        }
    }

    /// Maps malformed, too large and too many requests.
    private init(_ problem: Problem) {
        switch problem.kind {
        case .tooManyRequests, .overloaded:
            self.init(.overLimit, retryAfterSeconds: problem.retryAfterSeconds)
        case .bodyTooLarge, .invalidBody: self.init(.invalidInput)
        default: self.init(.invalidParameters)
        }
    }
}
