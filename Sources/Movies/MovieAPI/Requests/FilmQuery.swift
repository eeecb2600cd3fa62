import HTTPSemantics
import MovieDomain
import PosterAPI

/// The parameters of a request about films, each at most once. Free of any framework.
struct FilmQuery {
    /// The last page of lists that say nothing else.
    static let pageLimit = 500

    private let parameters: QueryParameters

    /// - Parameter known: What the resource takes.
    /// - Throws: ``Problem`` that names the parameter which is not known, or given twice.
    init(_ target: RequestTarget, known: [String]) throws(Problem) {
        let names = known.isEmpty ? "none" : known.joined(separator: ", ")
        self.parameters = try QueryParameters(try target.parameters(plusIsSpace: true), known: known, names: names)
    }

    /// Of a resource that is the same in all languages: clients that say theirs with every request may say it here too.
    ///
    /// - Parameter known: What the resource takes beside `language`.
    /// - Throws: ``Problem``, also for a language that is none.
    init(inAnyLanguage target: RequestTarget, known: [String] = []) throws(Problem) {
        try self.init(target, known: known + [RequestedLanguages.parameter])
        _ = try RequestedLanguages.named(in: self)
    }

    subscript(name: String) -> String? { self.parameters[name] }

    /// `page`; 1 without one.
    func page(upTo limit: Int = FilmQuery.pageLimit) throws(Problem) -> Int {
        try self.number("page", in: 1...max(1, limit)) ?? 1
    }

    /// - Returns: nil when the parameter is not there.
    func number(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        let accepted = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return try self.value(name, accepted: accepted) { text in
            QueryParameters.number(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// A day; nil when the parameter is not there.
    func date(_ name: String) throws(Problem) -> CalendarDate? {
        try self.value(name, accepted: "a day that exists, as YYYY-MM-DD") { CalendarDate($0) }
    }

    /// One of the cases by its name; nil when the parameter is not there.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String
    ) throws(Problem) -> Choice? where Choice.RawValue == String {
        try self.parameters.choice(name)
    }

    /// - Parameter accepted: What `parse` takes, for people.
    /// - Returns: nil when the parameter is not there.
    func value<Value>(_ name: String, accepted: String, _ parse: (String) -> Value?) throws(Problem) -> Value? {
        try self.parameters.value(name, accepted: accepted, parse)
    }
}
