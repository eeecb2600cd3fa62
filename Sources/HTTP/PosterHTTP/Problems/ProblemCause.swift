/// An error that knows what clients are told of it.
protocol ProblemCause: Error {
    var problem: Problem { get }
}
