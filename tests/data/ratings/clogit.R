# Makes the data sets of rating_test.cc and fits them with survival::clogit, an independent
# implementation of the same likelihood (Debian: r-cran-survival).
#
#   cd tests/data/ratings && Rscript clogit.R
#
# writes, for two and for three seats, NAME.games.tsv (simulated games) and NAME.figures.tsv (the
# fit), and for three seats a second fit with two strengths per bot. Seeds are fixed; figures were
# made with R 4.2.2, survival 3.5-3.
#
# Each stage of a game is a stratum. Its rows are the nonempty subsets T of the seats still in play;
# the case is the subset that goes out next, from the last place up. The columns of a row: minus the
# share 1/|T| of each bot and of each seat in T, and whether |T| is 2 (tie22: of the last two, tie23:
# of three) or 3. With two strengths, a bot has one column for the stage of three (bot1) and one for
# the stage of two (duel1). The first bot and the first seat are left out as the reference. With one
# case per stratum the exact conditional likelihood is the multinomial logit's; the robust covariance
# is coxph's sandwich with matches as clusters (no small-sample factor).
suppressMessages(library(survival))

subsets <- function(seats) {
  unlist(lapply(seq_along(seats), function(k) combn(length(seats), k, function(i) seats[i],
                                                    simplify = FALSE)), recursive = FALSE)
}

# One game: places by seat. u: strength at each seat, tau: of ties of 1, 2, 3.
play <- function(u, tau) {
  place <- integer(length(u))
  left <- seq_along(u)
  while (length(left) > 0) {
    sets <- subsets(left)
    eta <- sapply(sets, function(t) tau[length(t)] - mean(u[t]))
    drawn <- sets[[sample.int(length(sets), 1, prob = exp(eta - max(eta)))]]
    place[drawn] <- length(left) - length(drawn) + 1L
    left <- setdiff(left, drawn)
  }
  place
}

seatings <- function(k) {
  if (k == 2) return(list(1:2, 2:1))
  list(c(1, 2, 3), c(1, 3, 2), c(2, 1, 3), c(2, 3, 1), c(3, 1, 2), c(3, 2, 1))
}

# Matches of all seatings of one set of bots and one opening, which favours each bot or not.
simulate <- function(matches, theta, beta, tau, opening_sd) {
  games <- NULL
  k <- length(beta)
  for (match in seq_len(matches) - 1) {
    bots <- sample.int(length(theta), k)
    favour <- rnorm(k, 0, opening_sd)
    for (s in seatings(k)) {
      place <- play(theta[bots[s]] + favour[s] + beta, tau)
      games <- rbind(games, c(match, bots[s] - 1, place))
    }
  }
  colnames(games) <- c("match", paste0("bot", 1:k), paste0("place", 1:k))
  games
}

stage_rows <- function(games, n) {
  k <- (ncol(games) - 1) / 2
  rows <- list()
  stratum <- 0
  for (g in seq_len(nrow(games))) {
    bots <- games[g, 1 + 1:k] + 1
    place <- games[g, 1 + k + 1:k]
    left <- 1:k
    while (length(left) > 1) {
      stratum <- stratum + 1
      out <- left[place[left] == max(place[left])]
      for (t in subsets(left)) {
        x <- numeric(2 * n + k + 3)
        x[ifelse(length(left) < k, n, 0) + bots[t]] <- -1 / length(t)
        x[2 * n + t] <- -1 / length(t)
        if (length(t) == 2) x[2 * n + k + length(left) - 1] <- 1
        if (length(t) == 3) x[2 * n + k + 3] <- 1
        rows[[length(rows) + 1]] <- c(setequal(t, out), stratum, games[g, 1], x)
      }
      left <- setdiff(left, out)
    }
  }
  d <- as.data.frame(do.call(rbind, rows))
  names(d) <- c("case", "stratum", "match", paste0("bot", 1:n - 1), paste0("duel", 1:n - 1),
                paste0("seat", 1:k - 1), "tie22", "tie23", "tie3")
  d
}

fit <- function(name, games, n, ties, strengths = 1) {
  k <- (ncol(games) - 1) / 2
  d <- stage_rows(games, n)
  bots <- paste0("bot", 2:n - 1)
  duels <- paste0("duel", 2:n - 1)
  if (strengths == 1) {
    d[bots] <- d[bots] + d[duels]
    duels <- NULL
  }
  x <- c(bots, duels, paste0("seat", 2:k - 1), ties)
  f <- function(rest) as.formula(paste("case ~", paste(c(x, rest), collapse = " + ")))
  control <- coxph.control(eps = 1e-13, toler.chol = 1e-14, iter.max = 60)
  exact <- clogit(f("strata(stratum)"), d, control = control)
  robust <- clogit(f(c("strata(stratum)", "cluster(match)")), d, method = "breslow",
                   control = control)
  stopifnot(max(abs(coef(exact) - coef(robust))) < 1e-10)
  out <- paste0(name, ".figures.tsv")
  cat("kind\trow\tcolumn\tvalue\n", file = out)
  say <- function(...) cat(sprintf("%s\t%s\t%s\t%.15g\n", ...), file = out, append = TRUE)
  for (i in x) say("coefficient", i, "-", coef(exact)[[i]])
  for (i in seq_along(x)) for (j in seq_len(i)) {
    say("model", x[i], x[j], vcov(exact)[i, j])
    say("robust", x[i], x[j], vcov(robust)[i, j])
  }
}

set.seed(20260101, kind = "Mersenne-Twister", normal.kind = "Inversion",
         sample.kind = "Rejection")
write <- function(name, games) {
  write.table(games, paste0(name, ".games.tsv"), sep = "\t", quote = FALSE, row.names = FALSE)
}

three <- simulate(70, theta = c(0.9, 0.4, 0.1, -0.2, -0.5, -0.7), beta = c(0.25, -0.05, -0.2),
                  tau = c(0, -1.2, -0.8), opening_sd = 0.8)
write("three_seats", three)
fit("three_seats", three, n = 6, ties = c("tie22", "tie23", "tie3"))
fit("three_seats_by_stage", three, n = 6, ties = c("tie22", "tie23", "tie3"), strengths = 2)

two <- simulate(150, theta = c(0.8, 0.3, 0, -0.4, -0.7), beta = c(0.15, -0.15),
                tau = c(0, -0.6), opening_sd = 0.7)
write("two_seats", two)
fit("two_seats", two, n = 5, ties = "tie22")
