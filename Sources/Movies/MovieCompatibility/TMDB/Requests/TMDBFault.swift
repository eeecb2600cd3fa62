import HTTPSemantics
import MovieDomain

/// An error as The Movie Database answers it.
struct TMDBFault: Error, Hashable, Sendable {
    /// nil for an answer with a list of errors alone.
    let code: TMDBStatusCode?
    let status: Int
    /// In place of the code's own.
    var message: String?
    /// Sentences about parameters.
    var errors: [String] = []
    /// When to try again, in seconds; nil for no such time.
    var retryAfterSeconds: Int?
    /// Further members and their texts.
    var extra: [String: String] = [:]
    /// As The Movie Database wrote it; nil for one that is written here.
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

    /// 422 without a code, as for a search without a text.
    static func missing(_ parameter: String) -> TMDBFault {
        TMDBFault(status: 422, errors: ["\(parameter) must be provided"])
    }

    /// The longest error that is recognised in a document, in bytes.
    private static let byteLimit = 4096

    /// The error that a document is: The Movie Database sends each code with one status.
    ///
    /// - Returns: nil for any other document.
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

    /// The body of the response.
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
    /// What a failure of the domain or the request is at The Movie Database.
    ///
    /// - Returns: nil for failures of this service.
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
        // Conditions of requests are HTTP's own.
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
            self.errors = ["there are \(limit) films on the list, which is the most"]
        }
    }

    private init(_ failure: AuthorizationFailure) {
        switch failure {
        case .notApproved: self.init(.sessionDenied)
        case .denied: self.init(.deviceDenied)
        case .unknownToken: self.init(.invalidRequestToken)
        }
    }

    /// Of requests that are malformed, too large or too many.
    private init(_ problem: Problem) {
        switch problem.kind {
        case .tooManyRequests, .overloaded:
            self.init(.overLimit, retryAfterSeconds: problem.retryAfterSeconds)
        case .bodyTooLarge, .invalidBody: self.init(.invalidInput)
        default: self.init(.invalidParameters)
        }
    }
}
