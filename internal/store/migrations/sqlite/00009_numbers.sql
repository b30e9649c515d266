-- Asterism's own families. Column names and types are those of Asterisk's own schema.
-- +goose Up
CREATE TABLE IF NOT EXISTS numbers (
  "tenant" VARCHAR(80) NOT NULL DEFAULT '', "number" VARCHAR(80) NOT NULL, "codecs" VARCHAR(255), "destination"
  VARCHAR(255), "enabled" VARCHAR(5), "note" VARCHAR(255), PRIMARY KEY ("tenant", "number")
);
